import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Ledger } from '../../../src/ledger/ledger.ts'
import { LEASE_MS, type PaymentRow } from '../../../src/ledger/payments/payment-row.ts'
import { isBefore } from '../../../src/payments/sale/claim/reuse-earlier-payment.ts'
import { SALE_TIMING, type SaleTiming } from '../../../src/payments/sale/table/sale-context.ts'
import { eventually } from '../../support/eventually.ts'
import { newPayment } from '../../support/payment-rows.ts'
import { type SaleBench, startSaleBench } from '../../support/sale-bench.ts'

let bench: SaleBench
beforeEach(async () => {
  bench = await startSaleBench()
})
afterEach(() => bench.stop())

/** A buyer whose first signature was let go before it was sent: a claim without an owner, for the call of the bench. */
async function unsentClaim() {
  const buyer = await bench.buyer()
  const { rawPayment, nonce } = await buyer.sign()
  bench.facilitator.script.push({ says: 'not_sent' })
  expect(await bench.sell(rawPayment)).toMatchObject({ code: 'facilitator_unavailable' })
  bench.clock.advance(1)
  return { buyer, rawPayment, row: await bench.row(buyer, nonce) }
}

/** Another process claims one more signature of the same buyer for the same call. */
async function claimBeside(first: PaymentRow, nonce: string, change: Partial<PaymentRow>) {
  const { network, asset, payer, payTo, validBefore, salt, binding, bindingKey } = first
  const outcome = await bench.ledger.claim(
    newPayment({
      ...{ network, asset, payer, nonce, payTo, validBefore, salt, binding, bindingKey },
      ...{ owner: 'another process', leaseUntil: bench.clock.now() + 30_000, claimedAt: bench.clock.now() },
      ...change,
    }),
  )
  if (outcome.kind !== 'claimed') throw new Error(outcome.kind)
  return outcome.row
}
const releaseRow = (row: PaymentRow) => bench.ledger.move(row, { owner: null, leaseUntil: 0 })

const LOOK_MS = 7

/** A second process; `happens` runs once, when it has made this write. */
async function processThat(name: 'claim' | 'reclaim', happens: () => Promise<unknown>, msForEachLook = 0) {
  let isOver = false
  let looks = 0
  let looksBeforeRelease: number | undefined
  let at = 0
  const ledger = new Proxy(bench.ledger, {
    get(target, member: keyof Ledger) {
      if (member === 'move') looksBeforeRelease ??= looks
      if (member !== name) return target[member]
      return async (...args: unknown[]) => {
        const outcome = await (target[name] as (...args: unknown[]) => Promise<unknown>)(...args)
        if (!isOver) await happens()
        isOver = true
        return outcome
      }
    },
  })
  const sleep: SaleTiming['sleep'] = (ms, signal) => {
    if (ms === LOOK_MS) looks += 1
    if (looksBeforeRelease === undefined) at += msForEachLook
    return SALE_TIMING.sleep(ms, signal)
  }
  const { sell } = await bench.replica({ ledger, timing: { lookMs: LOOK_MS, sleep, monotonicMs: () => at } })
  return { sell, looksBeforeRelease: () => looksBeforeRelease }
}

describe('a new signature for a call', () => {
  test('waits for the claim of another one, and is sent once that is released', async () => {
    const { buyer, row } = await unsentClaim()
    const other = await claimBeside(row, (await buyer.sign()).nonce, {})
    const { rawPayment } = await buyer.sign()
    const looks = () => bench.storeCalls.filter((name) => name === 'unanswered').length
    const before = looks()
    const sent = bench.facilitator.settled.length
    const sale = bench.sell(rawPayment)
    await eventually(() => looks() - before).toBeGreaterThan(2)
    expect(bench.facilitator.settled).toHaveLength(sent)
    await releaseRow(other)
    expect(await sale).toMatchObject({ kind: 'sold', replayed: false })
    expect(await bench.charged()).toBe(1)
  })

  test('does not wait for a claim whose lease is over, and takes it from its owner', async () => {
    const { buyer, row } = await unsentClaim()
    const other = await claimBeside(row, (await buyer.sign()).nonce, { leaseUntil: bench.clock.now() })
    bench.clock.advance(1)
    expect(await bench.sell((await buyer.sign()).rawPayment)).toMatchObject({ kind: 'sold' })
    expect(await bench.ledger.move(other, { state: 'settling' })).toBeNull()
    expect(await bench.charged()).toBe(1)
  })

  test('yields with its new row to a later claim', async () => {
    const { buyer, row } = await unsentClaim()
    const [mine, theirs] = [await buyer.sign(), await buyer.sign()]
    let other: PaymentRow | undefined
    const process = await processThat('claim', async () => {
      bench.clock.advance(1)
      other = await claimBeside(row, theirs.nonce, {})
    })
    const sale = process.sell(bench.call(), mine.rawPayment)
    await eventually(async () => (await bench.ledger.find({ ...row, nonce: mine.nonce }))?.state).toBe(
      'claimed',
    )
    expect(await bench.row(buyer, mine.nonce)).toMatchObject({ owner: null, leaseUntil: 0 })
    expect(process.looksBeforeRelease()).toBe(0)
    await releaseRow(other as PaymentRow)
    expect(await sale).toMatchObject({ kind: 'sold' })
    expect(await bench.charged()).toBe(1)
  })

  test.each([
    ['an earlier one', 1],
    ['one of the same millisecond whose nonce comes first', 0],
  ])('yields with a claim that it took over to %s', async (_what, earlierMs) => {
    const { buyer, rawPayment, row } = await unsentClaim()
    let theirs = await buyer.sign()
    while (earlierMs === 0 && theirs.nonce > row.nonce) theirs = await buyer.sign()
    let other: PaymentRow | undefined
    const process = await processThat('reclaim', async () => {
      other = await claimBeside(row, theirs.nonce, { claimedAt: row.claimedAt - earlierMs })
    })
    const sale = process.sell(bench.call(), rawPayment)
    await eventually(() => other).toBeDefined()
    await eventually(async () => (await bench.ledger.find(row))?.owner).toBeNull()
    expect(process.looksBeforeRelease()).toBe(0)
    await releaseRow(other as PaymentRow)
    expect(await sale).toMatchObject({ kind: 'sold' })
    expect(await bench.charged()).toBe(1)
  })

  test('waits with a claim that comes first for half of its lease, so that it can still be sent', async () => {
    const { buyer, rawPayment, row } = await unsentClaim()
    const theirs = await buyer.sign()
    let other: PaymentRow | undefined
    const later = async () => {
      other = await claimBeside(row, theirs.nonce, { claimedAt: row.claimedAt + 1 })
    }
    const process = await processThat('reclaim', later, LEASE_MS / 2 + 1)
    const sale = process.sell(bench.call(), rawPayment)
    await eventually(() => process.looksBeforeRelease()).toBe(1)
    await releaseRow(other as PaymentRow)
    expect(await sale).toMatchObject({ kind: 'sold' })
    expect(await bench.charged()).toBe(1)
  })

  test('is before another or behind it, never both and never neither', async () => {
    const { row } = await unsentClaim()
    const rows = [0, 1].flatMap((later) =>
      ['0x1', '0x2'].map((nonce) => ({ ...row, nonce, claimedAt: row.claimedAt + later })),
    )
    const order = rows.map((one) => rows.map((other) => isBefore(one, other)))
    expect(order).toEqual(rows.map((_, one) => rows.map((__, other) => one < other)))
  })
})
