import { CHECK_TYPES } from 'format-checker-checks/verdict'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Ledger } from '../../../../src/ledger/ledger.ts'
import { StoreUnavailable } from '../../../../src/ledger/store/store-unavailable.ts'
import { ChainUnavailable } from '../../../../src/payments/chain/chain-reader.ts'
import { openValueCall } from '../../../../src/payments/sale/purchase/purchased-call.ts'
import { createHoldVerdict, UNPAID_TASK_LIFE_MS } from '../../../../src/payments/sale/tasks/hold-verdict.ts'
import { taskState } from '../../../../src/payments/sale/tasks/task-state.ts'
import { createKeyring } from '../../../../src/payments/secrets/keyring.ts'
import { type SealedContent, seal, taskKeyOf, unseal } from '../../../../src/payments/secrets/seal.ts'
import { eventually } from '../../../support/eventually.ts'
import { GOOD_IBAN, type SaleBench, startSaleBench } from '../../../support/sale-bench.ts'

let bench: SaleBench
beforeEach(async () => {
  bench = await startSaleBench()
})
afterEach(() => bench.stop())

async function withheld(value?: string) {
  const outcome = await bench.layer.holdVerdict(bench.taskCall(value))
  if (outcome.kind !== 'withheld') throw new Error(outcome.code)
  return outcome
}
const sealed = (taskId: string) => ({ kind: 'sealed', surface: 'a2a', client: 'c', taskId }) as const
const pay = async (
  taskId: string,
  rawPayment = undefined as Awaited<ReturnType<typeof signed>> | undefined,
) => bench.layer.sell(sealed(taskId), (rawPayment ?? (await signed())).rawPayment)
const signed = async () => (await bench.buyer()).sign()
const GONE = { kind: 'declined', code: 'task_not_found' }

test('a paid call names its task alike in every version, for its repeat may meet the next one', () => {
  const call = openValueCall(bench.taskCall(GOOD_IBAN), createKeyring(Buffer.alloc(32, 7)))
  const payment = { network: 'eip155:8453', asset: '0xa', payer: '0xb', nonce: '0xc' }
  expect(call.task?.of(payment).id).toBe('4853d7da-42e2-85d7-ac1b-a6c7b9872fa0')
})

describe('a verdict withheld until it is paid for', () => {
  test('tells nothing: what comes out is the same for a valid value and for an invalid one', async () => {
    const [valid, invalid] = [await withheld(), await withheld('not an iban')]
    const shape = ({ taskId, expiresAt, ...rest }: typeof valid) =>
      JSON.stringify([rest, taskId.length, expiresAt > 0])
    expect(shape(valid)).toBe(shape(invalid))
    const views = await Promise.all([valid, invalid].map(({ taskId }) => bench.layer.tasks.read(taskId)))
    expect(JSON.stringify(views[0])).toBe(JSON.stringify(views[1]))
    const rows = await Promise.all(
      [valid, invalid].map(({ taskId }) => bench.ledger.findTask(taskKeyOf(taskId))),
    )
    expect(rows[0]?.sealed.length).toBe(rows[1]?.sealed.length)
  })

  test('is shown under no payment that was settled for another call', async () => {
    const buyer = await bench.buyer()
    const { rawPayment, nonce } = await buyer.sign()
    expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'sold' })
    const row = await bench.row(buyer, nonce)
    const { bindings } = bench.layer.context
    const receiptOf = () => Promise.reject(new Error('the receipt of this call'))
    const show = async (value: string) => {
      const { taskId } = await withheld(value)
      const task = await bench.ledger.findTask(taskKeyOf(taskId))
      if (task === null) throw new Error('no task')
      const content = unseal(bench.keys, taskId, task.sealed) as SealedContent
      return taskState({ task, row, content, receiptOf, bindings, now: bench.clock.now() })
    }
    expect(await show('another value')).toEqual({ state: 'unpaid' })
    await expect(show(GOOD_IBAN)).rejects.toThrow('the receipt of this call')
  })

  test('is kept a day and a minute beyond the end of the authorization that is to pay for it', async () => {
    const { taskId } = await withheld()
    const payment = await signed()
    bench.facilitator.script.push({ says: 'unknown' })
    expect(await pay(taskId, payment)).toMatchObject({ code: 'payment_in_doubt' })
    const { validBefore } = payment.payload.payload.authorization as { validBefore: string }
    const task = await bench.ledger.findTask(taskKeyOf(taskId))
    expect(task?.expiresAt).toBe(Number(validBefore) * 1_000 + 86_460_000)
  })

  test('is quoted without a payment, and sold for one without running the check again', async () => {
    const { taskId } = await withheld()
    expect(await bench.layer.sell(sealed(taskId), { kind: 'none' })).toMatchObject({
      code: 'payment_required',
    })
    expect(await pay(taskId)).toMatchObject({ kind: 'sold', verdicts: [{ valid: true }], taskId })
    expect(bench.checkRuns()).toBe(1)
    expect(await bench.charged()).toBe(1)
  })

  test('gives a repeat of the paying message the same task, also after a restart', async () => {
    const { taskId } = await withheld()
    const rawPayment = await signed()
    const first = await pay(taskId, rawPayment)
    await bench.restart()
    expect(await pay(taskId, rawPayment)).toMatchObject({
      kind: 'sold',
      replayed: true,
      taskId,
      settlement: first.kind === 'sold' ? first.settlement : null,
    })
  })

  test('is gone for an unknown id, after its life, when canceled or failed: before anything is settled', async () => {
    const [late, canceled, failed] = [await withheld(), await withheld(), await withheld()]
    expect(await bench.layer.tasks.cancel(canceled.taskId)).toBe(true)
    expect(await bench.layer.tasks.fail(failed.taskId, 'payment_refused')).toBe(true)
    for (const id of [canceled.taskId, failed.taskId, crypto.randomUUID(), ''])
      expect(await pay(id)).toEqual(GONE)
    bench.clock.advance(UNPAID_TASK_LIFE_MS)
    expect(await pay(late.taskId)).toEqual(GONE)
    expect(await bench.layer.sell(sealed(late.taskId), { kind: 'none' })).toEqual(GONE)
    expect(bench.facilitator.settled).toHaveLength(0)
  })

  test('is sold to one of two payments that race for it', async () => {
    const { taskId } = await withheld()
    const sales = await Promise.all([pay(taskId), pay(taskId)])
    expect(sales.map((sale) => (sale.kind === 'sold' ? 'sold' : sale.code)).toSorted()).toEqual([
      'payment_already_used',
      'sold',
    ])
    expect(await bench.charged()).toBe(1)
    expect(await pay(taskId)).toMatchObject({ code: 'payment_already_used' })
  })

  test('is shown to a buyer who repeats a payment that was answered from another one, also after its end', async () => {
    const buyer = await bench.buyer()
    const [one, two] = [await withheld(), await withheld()]
    const [first, second] = [await buyer.sign(), await buyer.sign()]
    const release = bench.facilitator.hold()
    const paid = pay(one.taskId, first)
    await eventually(() => bench.facilitator.settled.length).toBe(1)
    const waiting = pay(two.taskId, second)
    release()
    const sale = await paid
    expect([sale, await waiting]).toMatchObject([
      { kind: 'sold', replayed: false },
      { kind: 'sold', replayed: true },
    ])
    if (sale.kind === 'sold') sale.delivered()
    for (const pauseMs of [0, 600_000])
      for (const payment of [second, await buyer.sign()]) {
        bench.clock.advance(pauseMs)
        expect(await pay(two.taskId, payment)).toMatchObject({ kind: 'sold', replayed: true })
      }
    expect(await pay(two.taskId, await signed())).toMatchObject({ code: 'payment_already_used' })
    expect(await bench.charged()).toBe(1)
  })

  test('is not sold under a payment made for another task, and the other way round', async () => {
    const [one, two] = [await withheld(), await withheld('other')]
    const rawPayment = await signed()
    await pay(one.taskId, rawPayment)
    expect(await pay(two.taskId, rawPayment)).toMatchObject({ code: 'payment_already_used' })
    expect(await bench.layer.tasks.read(two.taskId)).toMatchObject({ state: 'unpaid' })
  })

  test('takes a second payment where the first was never sent', async () => {
    const { taskId } = await withheld()
    bench.facilitator.script.push({ says: 'not_sent' })
    const first = await signed()
    expect(await pay(taskId, first)).toMatchObject({ code: 'facilitator_unavailable' })
    expect(await bench.layer.tasks.read(taskId)).toMatchObject({ state: 'unpaid' })
    bench.clock.advance(125_000)
    expect(await pay(taskId, first)).toMatchObject({ code: 'payment_expired' })
    expect(await pay(taskId)).toMatchObject({ kind: 'sold', taskId })
    expect(await bench.layer.tasks.read(taskId)).toMatchObject({ state: 'sold' })
    expect(await bench.charged()).toBe(1)
  })

  test('takes a second payment once the first is void for certain', async () => {
    const { taskId } = await withheld()
    const first = await signed()
    bench.facilitator.script.push({ says: 'unknown' })
    expect(await pay(taskId, first)).toMatchObject({ code: 'payment_in_doubt' })
    expect(await pay(taskId)).toMatchObject({ code: 'payment_already_used' })
    bench.clock.advance(125_000)
    expect(await pay(taskId, first)).toMatchObject({ code: 'payment_expired' })
    expect(await pay(taskId)).toMatchObject({ kind: 'sold', taskId })
    expect(await bench.layer.tasks.read(taskId)).toMatchObject({ state: 'sold' })
  })

  test('does not take a second payment while the first is at work', async () => {
    const { taskId } = await withheld()
    const release = bench.facilitator.hold()
    const first = pay(taskId)
    await eventually(() => bench.facilitator.settled.length).toBe(1)
    expect(await pay(taskId)).toMatchObject({ code: 'payment_already_used' })
    release()
    expect(await first).toMatchObject({ kind: 'sold' })
  })

  test('answers a buyer who pays a new task because the reply for the same value was lost', async () => {
    const buyer = await bench.buyer()
    const [one, two] = [await withheld(), await withheld()]
    await pay(one.taskId, await buyer.sign())
    expect(await pay(two.taskId, await buyer.sign())).toMatchObject({
      kind: 'sold',
      replayed: true,
      taskId: two.taskId,
    })
    expect(await bench.layer.tasks.read(two.taskId)).toMatchObject({
      state: 'sold',
      verdicts: [{ valid: true }],
    })
    expect(await bench.charged()).toBe(1)
  })

  test('shows a buyer in doubt a task that resolves', async () => {
    const buyer = await bench.buyer()
    bench.facilitator.script.push({ lands: 'after', says: 'unknown' })
    await bench.sell((await buyer.sign()).rawPayment)
    const sale = await bench.layer.sell(bench.taskCall(), (await buyer.sign()).rawPayment)
    if (sale.kind !== 'declined' || sale.taskId === undefined) throw new Error(sale.kind)
    expect(sale).toMatchObject({ code: 'payment_in_doubt' })
    expect(await bench.layer.tasks.read(sale.taskId)).toMatchObject({ state: 'working' })
    expect(await bench.charged()).toBe(0)
  })

  test('outlives a long doubt about its payment', async () => {
    const { taskId } = await withheld()
    const rawPayment = await signed()
    bench.facilitator.script.push({ lands: 'before', says: 'unknown' })
    const honest = bench.reader.head
    bench.reader.head = () => Promise.reject(new ChainUnavailable('down'))
    expect(await pay(taskId, rawPayment)).toMatchObject({ code: 'payment_in_doubt', taskId })
    bench.clock.advance(3 * 3_600_000)
    await bench.purge()
    bench.reader.head = honest
    expect(await pay(taskId, rawPayment)).toMatchObject({ kind: 'sold', taskId })
    expect(await bench.layer.tasks.read(taskId)).toMatchObject({ state: 'sold' })
  })

  test('is limited in number: ten thousand at once', async () => {
    const caps: number[] = []
    const ledger: Pick<Ledger, 'saveTask'> = {
      saveTask: (task, cap) => {
        caps.push(cap)
        return bench.ledger.saveTask(task, 2)
      },
    }
    const holdVerdict = createHoldVerdict({ ...bench.layer.context, ledger: ledger as Ledger })
    const kinds = []
    for (let task = 0; task < 3; task += 1) kinds.push((await holdVerdict(bench.taskCall())).kind)
    expect(kinds).toEqual(['withheld', 'withheld', 'declined'])
    expect(new Set(caps)).toEqual(new Set([10_000]))
    expect(await holdVerdict(bench.taskCall())).toEqual({ kind: 'declined', code: 'too_many_requests' })
    bench.clock.advance(UNPAID_TASK_LIFE_MS)
    expect(await holdVerdict(bench.taskCall())).toMatchObject({ kind: 'withheld' })
  })
})

test('no verdict is withheld by a store that is down', async () => {
  const ledger = { ...bench.ledger, saveTask: () => Promise.reject(new StoreUnavailable('told to fail')) }
  const holdVerdict = createHoldVerdict({ ...bench.layer.context, ledger })
  expect(await holdVerdict(bench.taskCall())).toEqual({ kind: 'declined', code: 'store_unavailable' })
})

test('a defect on the way to a withheld verdict is thrown', async () => {
  const ledger = { ...bench.ledger, saveTask: () => Promise.reject(new Error('a defect')) }
  const holdVerdict = createHoldVerdict({ ...bench.layer.context, ledger })
  await expect(holdVerdict(bench.taskCall())).rejects.toThrow('a defect')
})

describe('a task made by a payment in the first message', () => {
  test('has one id for every repeat, and can be read', async () => {
    const { rawPayment } = await signed()
    const first = await bench.layer.sell(bench.taskCall(), rawPayment)
    const again = await bench.layer.sell(bench.taskCall(), rawPayment)
    if (first.kind !== 'sold' || again.kind !== 'sold') throw new Error('not sold')
    expect(again.taskId).toBe(first.taskId)
    expect(await bench.layer.tasks.read(first.taskId as string)).toMatchObject({
      state: 'sold',
      pendingOrder: 'pendingOrder',
    })
  })

  test('is found by a repeat that comes over a surface without tasks, and the other way round', async () => {
    const { rawPayment } = await signed()
    expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'sold' })
    const kept = await bench.layer.sell(bench.taskCall(), rawPayment)
    if (kept.kind !== 'sold' || kept.taskId === undefined) throw new Error(kept.kind)
    expect(await bench.layer.tasks.read(kept.taskId)).toMatchObject({ state: 'sold' })
  })
})

describe('one payment', () => {
  const NOT_SENT = { says: 'not_sent' } as const

  test('that is attached to task after task shows one verdict', async () => {
    const rawPayment = await signed()
    const tasks = [await withheld(), await withheld('second'), await withheld('third')]
    bench.facilitator.script.push(NOT_SENT, NOT_SENT)
    for (const { taskId } of tasks) await pay(taskId, rawPayment)
    const views = await Promise.all(tasks.map(({ taskId }) => bench.layer.tasks.read(taskId)))
    expect(views.map((view) => view?.state)).toEqual(['unpaid', 'unpaid', 'sold'])
    expect(await bench.charged()).toBe(1)
    // The others can be paid for by themselves.
    expect(await pay(tasks[0]?.taskId as string)).toMatchObject({ kind: 'sold' })
  })

  test('that was claimed for a task and then bought another call shows nothing under the task', async () => {
    const rawPayment = await signed()
    const { taskId } = await withheld()
    bench.facilitator.script.push(NOT_SENT)
    await pay(taskId, rawPayment)
    expect(await bench.sell(rawPayment.rawPayment, bench.call('other'))).toMatchObject({ kind: 'sold' })
    expect(await bench.layer.tasks.read(taskId)).toMatchObject({ state: 'unpaid' })
  })

  test('in doubt names a task only when the task is stored', async () => {
    const { rawPayment } = await signed()
    const chainDown = () => Promise.reject(new ChainUnavailable('down'))
    Object.assign(bench.reader, { head: chainDown })
    bench.facilitator.script.push({ lands: 'before', says: 'unknown' })
    expect(await bench.sell(rawPayment)).toMatchObject({ code: 'payment_in_doubt' })
    bench.faults.push({ method: 'reclaim', when: 'before' })
    const sale = await bench.layer.sell(bench.taskCall(), rawPayment)
    expect(sale).toMatchObject({ code: 'payment_in_doubt' })
    expect(sale).not.toHaveProperty('taskId')
    bench.faults.length = 0
    const kept = await bench.layer.sell(bench.taskCall(), rawPayment)
    if (kept.kind !== 'declined' || kept.taskId === undefined) throw new Error(kept.kind)
    expect(await bench.layer.tasks.read(kept.taskId)).toMatchObject({ state: 'working' })
  })
})

describe('what a task shows', () => {
  test.each([
    ['working while it is settled', { says: 'nothing' } as const, 'working'],
    ['working in doubt', { says: 'unknown' } as const, 'working'],
    ['unpaid where nothing was sent', { says: 'not_sent' } as const, 'unpaid'],
    [
      'failed when refused',
      { says: () => ({ success: false, errorReason: 'insufficient_funds', transaction: '' }) },
      'failed',
    ],
  ])('%s', async (_, act, state) => {
    const { taskId } = await withheld()
    bench.facilitator.script.push(act)
    const sale = pay(taskId)
    if (act.says === 'nothing') await eventually(() => bench.facilitator.settled.length).toBe(1)
    else await sale
    expect(await bench.layer.tasks.read(taskId)).toMatchObject({ state })
    // What shows that it can be paid for can be cancelled: nothing was sent.
    expect(await bench.layer.tasks.cancel(taskId)).toBe(state === 'unpaid')
  })

  test('working, where a process died and may have sent, until the payment is repeated', async () => {
    const { taskId } = await withheld()
    const rawPayment = await signed()
    bench.faults.push({ method: 'claim', when: 'after' }, { method: 'move', when: 'before' })
    await pay(taskId, rawPayment)
    bench.faults.length = 0
    await bench.restart()
    bench.clock.advance(31_000)
    expect(await bench.layer.tasks.read(taskId)).toMatchObject({ state: 'working' })
    expect(await pay(taskId, rawPayment)).toMatchObject({ kind: 'sold' })
    expect(await bench.charged()).toBe(1)
  })

  test('unpaid, where a process died before it sent anything', async () => {
    const { taskId } = await withheld()
    const rawPayment = await signed()
    bench.facilitator.script.push({ says: 'not_sent' })
    await pay(taskId, rawPayment)
    bench.faults.push({ method: 'move', when: 'before' })
    await pay(taskId, rawPayment)
    bench.faults.length = 0
    expect(await bench.layer.tasks.read(taskId)).toMatchObject({ state: 'working' })
    await bench.restart()
    bench.clock.advance(29_999)
    expect(await bench.layer.tasks.read(taskId)).toMatchObject({ state: 'working' })
    bench.clock.advance(1)
    expect(await bench.layer.tasks.read(taskId)).toMatchObject({ state: 'unpaid' })
    expect(await pay(taskId, rawPayment)).toMatchObject({ kind: 'sold' })
  })

  test('canceled, failed, and nothing once its life is over', async () => {
    const [canceled, failed] = [await withheld(), await withheld()]
    await bench.layer.tasks.cancel(canceled.taskId)
    await bench.layer.tasks.fail(failed.taskId, 'payment_refused')
    expect(await bench.layer.tasks.read(canceled.taskId)).toMatchObject({ state: 'canceled' })
    expect(await bench.layer.tasks.read(failed.taskId)).toMatchObject({
      state: 'failed',
      code: 'payment_refused',
    })
    expect(await bench.layer.tasks.cancel(failed.taskId)).toBe(false)
    bench.clock.advance(UNPAID_TASK_LIFE_MS)
    expect(await bench.layer.tasks.read(canceled.taskId)).toBeNull()
  })
})

test('a task that ends keeps no verdict: its blob shrinks to one frame, and still shows what it was for', async () => {
  const [item] = bench.taskCall().items
  const items = [item, ...Array.from({ length: 99 }, () => item)] as const
  const listed = { ...bench.taskCall(), shape: 'list', items } as const
  for (const end of ['cancel', 'fail'] as const) {
    const outcome = await bench.layer.holdVerdict(listed)
    if (outcome.kind !== 'withheld') throw new Error(outcome.code)
    const { taskId, quote } = outcome
    const single = await bench.ledger.findTask(taskKeyOf((await withheld()).taskId))
    const blob = async () => (await bench.ledger.findTask(taskKeyOf(taskId)))?.sealed ?? Buffer.alloc(0)
    expect((await blob()).length).toBeGreaterThan(200_000)
    const { tasks } = bench.layer
    expect(await (end === 'cancel' ? tasks.cancel(taskId) : tasks.fail(taskId, 'payment_refused'))).toBe(true)
    expect((await blob()).length).toBe(single?.sealed.length)
    expect(unseal(bench.keys, taskId, await blob())).toMatchObject({ items: 100, verdicts: [] })
    expect(await tasks.read(taskId)).toMatchObject({
      state: end === 'cancel' ? 'canceled' : 'failed',
      quote: { required: expect.any(Function) },
    })
    expect((await tasks.read(taskId))?.quote.required('payment_required').accepts).toEqual(
      quote.required('payment_required').accepts,
    )
  }
})

describe('a sealed blob', () => {
  const content = (value: string) => ({
    ...({ shape: 'single', items: 1, type: 'iban', skillId: 'iban' } as const),
    ruleset: 'iban:swift-r102',
    verdicts: [bench.call(value).items[0].skill.check(value)] as const,
    fingerprint: Buffer.alloc(32, 7),
    requestDigest: Buffer.alloc(32, 8),
    pendingOrder: 'm'.repeat(510),
  })

  test('opens under its own task id and key only', () => {
    const blob = seal(bench.keys, 'task-1', content(GOOD_IBAN))
    expect(unseal(bench.keys, 'task-1', blob)).toEqual(content(GOOD_IBAN))
    expect(unseal(bench.keys, 'task-2', blob)).toBeNull()
    for (const at of [0, 11, 12, blob.length - 1]) {
      const bent = Buffer.from(blob)
      bent[at] = (bent[at] as number) ^ 1
      expect(unseal(bench.keys, 'task-1', bent)).toBeNull()
    }
    expect(unseal(bench.keys, 'task-1', blob.subarray(1))).toBeNull()
    expect(unseal(bench.keys, 'task-1', Buffer.alloc(0))).toBeNull()
  })

  test('has one length, whatever the value, the type and the pending order', async () => {
    const wildest = [
      '',
      'x',
      ' '.repeat(512),
      '\u0000'.repeat(512),
      '😀'.repeat(512),
      `${'"\\'.repeat(256)}`,
      'é@ü.'.repeat(128),
    ]
    const lengths = new Set<number>()
    for (const type of CHECK_TYPES) {
      for (const value of [GOOD_IBAN, ...wildest]) {
        const { skill } = bench.call(value, type).items[0]
        lengths.add(seal(bench.keys, 'id', { ...content(GOOD_IBAN), verdicts: [skill.check(value)] }).length)
        const pendingOrder = '\u0001'.repeat(85)
        lengths.add(
          seal(bench.keys, 'id', { ...content(GOOD_IBAN), verdicts: [skill.check(value)], pendingOrder })
            .length,
        )
      }
    }
    expect(lengths.size).toBe(1)
  })
})
