import { afterEach, beforeEach, expect, test } from 'vitest'
import { FacilitatorFault } from '../../src/payments/facilitators/facilitator-fault.ts'
import { type SaleBench, startSaleBench } from '../support/sale-bench.ts'

const CANARY = 'canary9f83ka02value'
const IDENTIFIER = 'canary-identifier-7713'

let bench: SaleBench
beforeEach(async () => {
  bench = await startSaleBench()
})
afterEach(() => bench.stop())

/** The text in every spelling a store or a log could hold it in. */
function spellings(text: string): Buffer[] {
  const bytes = Buffer.from(text)
  const base64 = [0, 1, 2].map((shift) =>
    Buffer.concat([Buffer.alloc(shift), bytes])
      .toString('base64')
      .slice(shift === 0 ? 0 : 4, -4),
  )
  return [text, text.toUpperCase(), bytes.toString('hex'), ...base64]
    .map((spelling) => Buffer.from(spelling))
    .concat(Buffer.from(text, 'utf16le'))
}

function expectNoTrace(text: string) {
  const stored = bench.storedBytes()
  expect(stored.length).toBeGreaterThan(10_000)
  for (const spelling of spellings(text)) {
    expect(stored.includes(spelling)).toBe(false)
    expect(bench.logged.join('\n').includes(spelling.toString())).toBe(false)
  }
}

test('a value leaves no trace in the store or the log, whatever becomes of its sale', async () => {
  const call = () => bench.call(CANARY)
  const sign = async (funds?: bigint) => (await (await bench.buyer(funds)).sign({}, IDENTIFIER)).rawPayment
  const acts = [
    { says: 'honest' },
    { says: 'not_sent' },
    { says: 'unknown' },
    { says: 'unknown', lands: 'before' },
    { says: () => ({ success: false, errorReason: CANARY, transaction: '' }) },
    {
      says: () => {
        throw new FacilitatorFault('unknown', CANARY)
      },
    },
  ] as const
  for (const act of acts) {
    const rawPayment = await sign()
    bench.facilitator.script.push(act)
    await bench.sell(rawPayment, call())
    await bench.sell(rawPayment, call())
    await bench.sell(rawPayment, bench.call(`${CANARY}2`))
  }
  await bench.sell(await sign(0n), call())
  await bench.sell({ kind: 'text', text: CANARY }, call())
  expectNoTrace(CANARY)
  expectNoTrace(IDENTIFIER)
})

test('a value that was sealed, paid for and shown leaves no trace either', async () => {
  const outcome = await bench.layer.holdVerdict(bench.taskCall(CANARY))
  if (outcome.kind !== 'withheld') throw new Error(outcome.code)
  const { rawPayment } = await (await bench.buyer()).sign()
  await bench.layer.sell({ kind: 'sealed', surface: 'a2a', client: 'c', taskId: outcome.taskId }, rawPayment)
  await bench.layer.sell(bench.taskCall(CANARY), (await (await bench.buyer()).sign()).rawPayment)
  expect(await bench.layer.tasks.read(outcome.taskId)).toMatchObject({ state: 'sold' })
  expectNoTrace(CANARY)
  // Nor can a reader of the store name a task.
  expect(bench.storedBytes().includes(Buffer.from(outcome.taskId))).toBe(false)
})

test('two sales of one value have nothing in common in the store', async () => {
  const rows = []
  for (let sale = 0; sale < 2; sale += 1) {
    const buyer = await bench.buyer()
    const { rawPayment, nonce } = await buyer.sign()
    await bench.sell(rawPayment)
    rows.push(await bench.row(buyer, nonce))
  }
  expect(rows[0]?.binding).not.toEqual(rows[1]?.binding)
  expect(rows[0]?.salt).not.toEqual(rows[1]?.salt)
})

test('a store that fails quotes no value', async () => {
  for (const method of ['find', 'claim', 'move', 'saveTask'] as const) {
    bench.faults.push({ method, when: 'before' })
    const sale = await bench.sell((await (await bench.buyer()).sign()).rawPayment, bench.call(CANARY))
    const withheld = await bench.layer.holdVerdict(bench.taskCall(CANARY))
    expect(JSON.stringify([sale, method === 'saveTask' ? withheld : ''])).not.toContain(CANARY)
    bench.faults.length = 0
  }
  expectNoTrace(CANARY)
})
