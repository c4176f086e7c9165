/**
 * Attacks on the tasks, over the wire, with the whole payment layer behind the surface.
 *
 * The property over all of them: the distinct verdicts that any reader of a task was shown never exceed the charges,
 * and a charge is always answered.
 */
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { BenchPayment } from '../../support/bench-buyer.ts'
import { type SaleBench, startSaleBench } from '../../support/sale-bench.ts'
import {
  asHeader,
  IN_BAND,
  type Json,
  order,
  payingWith,
  payRequest,
  sendRequest,
  stateOf,
  taskOf,
  taskRequest,
  VERSIONS,
  type Version,
} from './a2a-client.ts'
import { type A2aService, startA2aService } from './a2a-service.ts'

/** Values whose masked results all differ. */
const VALUES = ['a', 'b', 'c', 'd', 'e', 'f'].map((letter) => `user@${letter.repeat(3)}.example`)

let bench: SaleBench
let service: A2aService
beforeEach(async () => {
  bench = await startSaleBench()
  const { layer } = bench
  service = await startA2aService({
    trustedProxies: 1,
    sales: {
      sell: layer.sell,
      holdVerdict: layer.holdVerdict,
      tasks: layer.tasks,
      quote: layer.quotes,
    },
  })
})
afterEach(async () => {
  await service.close()
  await bench.stop()
})

/** Everything a client at an address can do, with a note of every verdict that it was shown. */
function client(version: Version, address = '192.0.2.1') {
  const shown = new Set<string>()
  /** The settlements whose receipt came with a verdict. */
  const receipts = new Set<string>()

  const note = (json: Json): Json => {
    const task = taskOf(json) ?? json.result
    const settlements =
      task?.artifacts?.length > 0 ? task.status.message.metadata['x402.payment.receipts'] : []
    for (const { transaction } of settlements) receipts.add(transaction)
    for (const artifact of task?.artifacts ?? []) {
      for (const part of artifact.parts) if (part.data !== undefined) shown.add(JSON.stringify(part.data))
    }
    return task ?? json
  }
  const post = async (body: unknown, headers: Record<string, string> = IN_BAND) =>
    note((await service.post(body, { ...headers, 'X-Forwarded-For': address })).json)

  return {
    shown,
    receipts,
    ask: (value: string) => post(sendRequest(version, { parts: [order('email', value)] })),
    pay: (taskId: string, { payload }: BenchPayment) => post(payRequest(version, taskId, payload)),
    payByHeader: (taskId: string, { payload }: BenchPayment) =>
      post(sendRequest(version, { taskId, parts: [{ text: 'paid' }] }), asHeader(payload)),
    buy: (value: string, { payload }: BenchPayment) =>
      post(sendRequest(version, { parts: [order('email', value)], metadata: payingWith(payload) })),
    buyByHeader: (value: string, { payload }: BenchPayment) =>
      post(sendRequest(version, { parts: [order('email', value)] }), asHeader(payload)),
    say: (taskId: string) => post(sendRequest(version, { taskId, parts: [{ text: 'well?' }] })),
    show: (taskId: string) => post(taskRequest(version, 'get', taskId)),
    cancel: (taskId: string) => post(taskRequest(version, 'cancel', taskId)),
  }
}

describe.each(VERSIONS)('over %s', (version) => {
  it('one authorization attached to task after task shows one verdict', async () => {
    const buyer = client(version)
    const payment = await (await bench.buyer()).sign()
    const tasks = await Promise.all(VALUES.map((value) => buyer.ask(value)))
    for (const { id } of tasks) {
      bench.facilitator.script.push({ says: 'not_sent' })
      await buyer.pay(id, payment)
    }
    bench.facilitator.script.length = 0
    for (const { id } of tasks) await buyer.pay(id, payment)
    for (const { id } of tasks) {
      await buyer.show(id)
      await buyer.say(id)
      await buyer.cancel(id)
      await buyer.payByHeader(id, payment)
    }
    expect(await bench.charged()).toBe(1)
    expect(buyer.shown.size).toBe(1)
  })

  it('a stranger who tries values out with tasks of its own does not lock the buyer out of its task', async () => {
    const [buyer, stranger] = [client(version), client(version, '192.0.2.2')]
    const payment = await (await bench.buyer()).sign()
    const { id } = await buyer.ask(VALUES[0]!)
    await buyer.pay(id, payment)
    // Payer, nonce and signature are public once a payment is settled.
    for (const value of [...VALUES.slice(1), 'user@ggg.example'])
      await stranger.pay((await stranger.ask(value)).id, payment)
    expect(stranger.shown.size).toBe(0)
    expect(stateOf(await buyer.pay(id, payment))).toBe('COMPLETED')
    expect((await buyer.payByHeader(id, payment)).error).toBeUndefined()
  })

  it('a task that shows INPUT_REQUIRED after nothing was sent can be cancelled, and is not charged after', async () => {
    const buyer = client(version)
    const payment = await (await bench.buyer()).sign()
    const task = await buyer.ask(VALUES[0]!)
    bench.facilitator.script.push({ says: 'not_sent' })
    expect(stateOf(await buyer.pay(task.id, payment))).toBe('INPUT_REQUIRED')
    expect(stateOf(await buyer.show(task.id))).toBe('INPUT_REQUIRED')
    expect(stateOf(await buyer.cancel(task.id))).toBe('CANCELED')
    await buyer.pay(task.id, payment)
    expect(await bench.charged()).toBe(0)
    expect(buyer.shown.size).toBe(0)
  })

  it('an order in doubt names a task only if that task is stored', async () => {
    const buyer = client(version)
    const payment = await (await bench.buyer()).sign()
    bench.facilitator.script.push({ says: 'unknown' })
    const answers = [await buyer.buy(VALUES[0]!, payment), await buyer.buyByHeader(VALUES[0]!, payment)]
    const named = answers.filter(({ status }) => status !== undefined)
    const looks = await Promise.all(named.map(({ id }) => buyer.show(id)))
    expect(looks.map(({ id }) => id)).toEqual(named.map(({ id }) => id))
    expect(named.length).toBeGreaterThan(0)
  })
})

type Step =
  | { readonly do: 'show' | 'say' | 'cancel'; readonly task: number }
  | { readonly do: 'pay' | 'payByHeader'; readonly task: number; readonly payment: number }
  | { readonly do: 'buy' | 'buyByHeader'; readonly value: number; readonly payment: number }
  | { readonly do: 'script'; readonly says: 'not_sent' | 'honest' }

const index = fc.nat(VALUES.length - 1)
const payment = fc.nat(1)
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constantFrom('show' as const, 'say' as const, 'cancel' as const), task: index }),
  fc.record({ do: fc.constantFrom('pay' as const, 'payByHeader' as const), task: index, payment }),
  fc.record({ do: fc.constantFrom('buy' as const, 'buyByHeader' as const), value: index, payment }),
  fc.record({ do: fc.constant('script' as const), says: fc.constantFrom('not_sent', 'honest') }),
)

describe('any order of orders, payments, looks and cancellations', () => {
  it('shows no more distinct verdicts than were charged, and answers every charge', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 5, maxLength: 25 }),
        fc.constantFrom(...VERSIONS),
        async (steps, version) => {
          const buyer = client(version)
          const before = await bench.charged()
          const payer = await bench.buyer()
          const payments = await Promise.all([payer.sign(), payer.sign()])
          const tasks = await Promise.all(VALUES.map((value) => buyer.ask(value)))
          bench.facilitator.script.length = 0
          const act = async (next: Step): Promise<unknown> => {
            switch (next.do) {
              case 'script':
                return bench.facilitator.script.push({ says: next.says })
              case 'pay':
              case 'payByHeader':
                return buyer[next.do](tasks[next.task].id, payments[next.payment]!)
              case 'buy':
              case 'buyByHeader':
                return buyer[next.do](VALUES[next.value]!, payments[next.payment]!)
              default:
                return buyer[next.do](tasks[next.task].id)
            }
          }
          for (const next of steps) await act(next)
          for (const { id } of tasks) await buyer.show(id)
          const charged = (await bench.charged()) - before
          expect(buyer.shown.size).toBeLessThanOrEqual(charged)
          expect(buyer.receipts.size).toBe(charged)
        },
      ),
      { numRuns: 30 },
    )
  })
})
