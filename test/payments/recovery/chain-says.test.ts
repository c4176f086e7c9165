/** What becomes of one row by what the chain says, over a scripted chain and a scripted store. */
import type { Hex } from 'viem'
import { describe, expect, test } from 'vitest'
import type { PaymentChange, PaymentRow } from '../../../src/ledger/payments/payment-row.ts'
import {
  type AuthorizationTrace,
  type ChainReader,
  ChainUnavailable,
} from '../../../src/payments/chain/chain-reader.ts'
import { audit } from '../../../src/payments/recovery/audit.ts'
import { reconcile } from '../../../src/payments/recovery/reconcile.ts'
import { resolvePayment } from '../../../src/payments/recovery/resolve-payment.ts'
import { newPayment } from '../../support/payment-rows.ts'

const FREE = { owner: null, leaseUntil: 0 }
const NOW = 50_000_000
const DAY = 86_400
const END = 10_000
/** With a depth of 10 the final block is 4,990; the search for a row claimed at 3,000 begins at 1,200. */
const [HEAD, DEPTH, FINAL, CLAIMED, START] = [5_000n, 10n, 4_990n, 3_000n, 1_200n]
const PLACE = { transaction: `0x${'12'.repeat(32)}` as Hex, logIndex: 4 }

const at = (blockNumber: bigint, logIndex = PLACE.logIndex) => ({ ...PLACE, logIndex, blockNumber })
const used = (payments: readonly bigint[], elsewhere: readonly bigint[] = []): AuthorizationTrace => ({
  kind: 'used',
  payments: payments.map((block) => at(block)),
  elsewhere: elsewhere.map((block) => at(block)),
})
const rowOf = (change: Partial<PaymentRow> = {}): PaymentRow =>
  ({
    ...newPayment({ ...FREE, validBefore: END, claimedAt: 1_000, claimedBlock: CLAIMED }),
    ...({
      state: 'in_doubt',
      refusal: null,
      transaction: null,
      logIndex: null,
      settledAt: null,
      audit: null,
    } as object),
    ...change,
  }) as PaymentRow

interface Given {
  readonly row?: Partial<PaymentRow>
  readonly trace?: AuthorizationTrace
  readonly head?: bigint
  /** UTC seconds of the newest block; the final one is 20 s older. */
  readonly time?: number
  /** From this block on, the authorization is used. */
  readonly usedFrom?: bigint
  /** Older blocks are not answered for. */
  readonly oldest?: bigint
  /** How many moves the store refuses, and what the row is by then. */
  readonly lostMoves?: number
  readonly present?: Partial<PaymentRow> | null
}

function bench(given: Given = {}) {
  const { trace = { kind: 'unused' }, head = HEAD, time = END, usedFrom, oldest = 0n, present } = given
  const row = rowOf(given.row)
  let lost = given.lostMoves ?? 0
  const [moves, looks, missing] = [[] as PaymentChange[], [] as unknown[], [] as PaymentRow[]]
  const traced: bigint[] = []
  const chain = {
    finalityDepth: DEPTH,
    head: async () => ({ number: head, timestamp: time }),
    block: async (number: bigint) => ({ number, timestamp: time - 20 }),
    trace: async ({ fromBlock = 0n }) => {
      traced.push(fromBlock)
      return trace
    },
    authorizationUsed: async (_payer: Hex, _nonce: Hex, block = head) => {
      if (block < oldest) throw new ChainUnavailable('no state that old')
      return usedFrom !== undefined && block >= usedFrom
    },
  } as unknown as ChainReader
  const bounds: number[] = []
  const list = async (bound: number, _limit: number, after?: PaymentRow) => {
    bounds.push(bound)
    return after === undefined ? [row] : []
  }
  const move = async (seen: PaymentRow, change: PaymentChange) => {
    moves.push(change)
    lost -= 1
    return lost >= 0 ? null : { ...seen, ...change }
  }
  const ledger = {
    unresolved: list,
    unaudited: list,
    find: async () => (present === null ? null : { ...row, ...present }),
    move,
    moveUnflushed: move,
  }
  const backoff = {
    isDue: () => true,
    failed: () => looks.push('failed'),
    postpone: (_row: unknown, dueAt: number) => looks.push(dueAt),
    forget: () => looks.push('next run'),
  }
  const options = {
    ...{ ledger, chain, backoff, now: () => NOW, payee: { network: row.network } },
    onMissing: (each: PaymentRow) => missing.push(each),
  } as never
  return { row, options, moves, looks, missing, traced, bounds }
}

describe('a row that reached the facilitator', () => {
  const settled = (index = PLACE.logIndex) => ({
    ...{ state: 'settled', transaction: PLACE.transaction, logIndex: index, settledAt: NOW, ...FREE },
  })
  const over = (refusal: string) => ({ state: 'void', refusal, ...FREE })

  test.each<[string, string, Given, readonly object[]]>([
    ['unused before its end', 'unused', { time: END + 20 }, []],
    ['unused in a final block past its end', 'void', { time: END + 21 }, [over('payment_expired')]],
    ['unused past its end on a chain without a final block', 'unused', { time: END + DAY, head: DEPTH }, []],
    [
      'used in the final block where the newest says unused',
      'unused',
      { time: END + 21, usedFrom: FINAL },
      [],
    ],
    [
      'canceled in a final block',
      'void',
      { trace: { kind: 'canceled' }, usedFrom: FINAL },
      [over('payment_expired')],
    ],
    [
      'canceled in a later one',
      'unexplained',
      { trace: { kind: 'canceled' }, usedFrom: FINAL + 1n, time: END + 21 },
      [],
    ],
    ['paid after the claim', 'settled', { trace: used([CLAIMED + 1n]) }, [settled()]],
    ['paid before and after the claim', 'settled', { trace: used([CLAIMED, CLAIMED + 1n]) }, [settled()]],
    [
      'paid at the claim, a day after its end',
      'unexplained',
      { trace: used([CLAIMED]), time: END + DAY },
      [],
    ],
    [
      'paid at the claim, later than that',
      'void',
      { trace: used([CLAIMED]), time: END + DAY + 1 },
      [over('payment_already_used')],
    ],
    [
      'paid, and its claim has no block',
      'settled',
      { trace: used([1n]), row: { claimedBlock: null } },
      [settled()],
    ],
    [
      'spent elsewhere in a final block',
      'void',
      { trace: used([], [FINAL + 1n, FINAL]) },
      [over('payment_spent_elsewhere')],
    ],
    ['spent elsewhere in a later one', 'unexplained', { trace: used([], [FINAL + 1n]), usedFrom: 0n }, []],
    [
      'spent elsewhere on a chain without a final block',
      'unexplained',
      { trace: used([], [1n]), head: DEPTH },
      [],
    ],
    [
      'used without a log since the claim',
      'unexplained',
      { trace: used([]), usedFrom: CLAIMED + 1n, time: END + DAY + 1 },
      [],
    ],
    [
      'used without a log, and its claim has no block',
      'unexplained',
      { trace: used([]), usedFrom: 0n, row: { claimedBlock: null }, time: END + DAY + 1 },
      [],
    ],
    [
      'used without a log in the blocks that were searched',
      'unexplained',
      { trace: used([]), usedFrom: START + 1n, time: END + DAY },
      [],
    ],
    [
      'the same, but more than a day after its end',
      'void',
      { trace: used([]), usedFrom: START + 1n, time: END + DAY + 1 },
      [over('payment_already_used')],
    ],
    [
      'used before the blocks that were searched',
      'void',
      { trace: used([]), usedFrom: START, time: END },
      [over('payment_already_used')],
    ],
    [
      'used at a time that the node no longer knows',
      'unexplained',
      { trace: used([]), usedFrom: 0n, oldest: START + 1n, time: END },
      [],
    ],
  ])('and whose authorization is %s is %s', async (_what, kind, given, moves) => {
    const stage = bench(given)
    expect(await resolvePayment(stage.options, stage.row)).toMatchObject({ kind })
    expect(stage.moves).toEqual(moves)
  })

  test('is settled from the first of its payments that settled no other', async () => {
    const trace = {
      kind: 'used',
      payments: [at(4_000n, 1), at(4_000n, 3), at(4_001n, 5)],
      elsewhere: [],
    } as const
    const stage = bench({ trace, lostMoves: 1 })
    expect(await resolvePayment(stage.options, stage.row)).toMatchObject({
      kind: 'settled',
      row: { logIndex: 3 },
    })
    expect(stage.moves).toEqual([settled(1), settled(3)])
  })

  test.each<[string, Given, object]>([
    ['settled meanwhile', { present: { state: 'settled' } }, { kind: 'settled', row: { state: 'settled' } }],
    ['in doubt', { present: { state: 'in_doubt' } }, { kind: 'unexplained', row: { state: 'in_doubt' } }],
    ['gone', { present: null }, { kind: 'unexplained', row: { state: 'refused' } }],
  ])('and that the store does not settle is %s', async (_what, given, expected) => {
    const stage = bench({ trace: used([CLAIMED + 1n]), lostMoves: 1, row: { state: 'refused' }, ...given })
    expect(await resolvePayment(stage.options, stage.row)).toMatchObject(expected)
  })

  test.each<[string, Given, object]>([
    ['settled meanwhile', { present: { state: 'settled' } }, { kind: 'settled', row: { state: 'settled' } }],
    ['void meanwhile', { present: { state: 'void' } }, { kind: 'void', row: { state: 'void' } }],
    ['in doubt', { present: { state: 'in_doubt' } }, { kind: 'unexplained', row: { state: 'in_doubt' } }],
    ['gone', { present: null }, { kind: 'unexplained', row: { state: 'refused' } }],
  ])('and that the store does not make void is %s', async (_what, given, expected) => {
    const stage = bench({ time: END + 21, lostMoves: 1, row: { state: 'refused' }, ...given })
    expect(await resolvePayment(stage.options, stage.row)).toMatchObject(expected)
  })

  test('and that is void is written again only for another reason', async () => {
    const same = bench({ time: END + 21, row: { state: 'void', refusal: 'payment_expired' } })
    expect(await resolvePayment(same.options, same.row)).toEqual({ kind: 'void', row: same.row })
    const other = bench({ time: END + 21, row: { state: 'void', refusal: 'payment_already_used' } })
    await resolvePayment(other.options, other.row)
    const open = bench({ time: END + 21, row: { state: 'in_doubt', refusal: 'payment_expired' } })
    await resolvePayment(open.options, open.row)
    expect([same.moves, other.moves, open.moves].map(({ length }) => length)).toEqual([0, 1, 1])
  })

  test('is searched for from an hour of blocks before its claim on', async () => {
    const { options, row, traced } = bench()
    await resolvePayment(options, row)
    expect(traced).toEqual([START])
  })
})

describe('a run over the rows in doubt', () => {
  const overAt = END * 1_000 + 30_000
  const run = async (given: Given, now = NOW) => {
    const stage = bench(given)
    const counts = await reconcile({ ...(stage.options as object), now: () => now } as never)
    return { ...stage, counts }
  }

  test.each<[string, Given, number, number | string]>([
    ['unused and refused, before its end', { row: { state: 'refused' } }, overAt - 1, overAt],
    ['unused and refused, once its end is final', { row: { state: 'refused' } }, overAt, 'next run'],
    ['unused and in doubt', {}, overAt - 1, 'next run'],
    ['unexplained, before its end', { trace: used([], [HEAD]) }, overAt - 1, 'next run'],
    ['unexplained, once its end is final', { trace: used([], [HEAD]) }, overAt, overAt + 3_600_000],
    ['settled', { trace: used([HEAD]) }, overAt, 'next run'],
  ])('looks again at one that is %s', async (_what, given, now, look) => {
    expect((await run(given, now)).looks).toEqual([look])
  })

  test('asks for rows by its own beginning, and counts each once', async () => {
    const none = { settled: 0, void: 0, open: 0, complete: true }
    expect((await run({ trace: used([HEAD]) })).counts).toEqual({ ...none, settled: 1 })
    expect((await run({ time: END + 21 })).counts).toEqual({ ...none, void: 1 })
    expect((await run({})).counts).toEqual({ ...none, open: 1 })
    expect((await run({ trace: used([], [HEAD]) })).counts).toEqual({ ...none, open: 1 })
    expect((await run({}, 7)).bounds).toEqual([7])
  })

  test('takes a row whose owner is gone to be in doubt, unless another process was faster', async () => {
    const taken = await run({ row: { state: 'settling', owner: 'gone', leaseUntil: 1 }, trace: used([HEAD]) })
    expect(taken.moves[0]).toEqual({ state: 'in_doubt', ...FREE })
    expect(taken.counts).toMatchObject({ settled: 1 })
    const lost = await run({ row: { state: 'settling' }, lostMoves: 1 })
    expect(lost.counts).toEqual({ settled: 0, void: 0, open: 0, complete: true })
    expect(lost.moves).toHaveLength(1)
  })
})

describe('a settled row that is held against the chain', () => {
  const SETTLED = { state: 'settled', settledAt: END * 1_000, transaction: PLACE.transaction } as const
  const found = { audit: 'found', ...PLACE }
  const missing = { audit: 'missing' }

  test.each<[string, 'found' | 'missing' | 'open', Given, readonly object[]]>([
    ['is on a chain without a final block', 'open', { trace: used([1n]), head: DEPTH }, []],
    ['was paid in a final block', 'found', { trace: used([FINAL]) }, [found]],
    ['was paid in a later one', 'open', { trace: used([FINAL + 1n]) }, []],
    ['is unused before its end', 'open', { time: END + 20 }, []],
    ['is unused in a final block past its end', 'missing', { time: END + 21 }, [missing]],
    [
      'is unused past its end, but was settled later',
      'open',
      { time: END + 25, row: { ...SETTLED, settledAt: (END + 5) * 1_000 + 999 } },
      [],
    ],
    [
      'is unused in a final block past both',
      'missing',
      { time: END + 26, row: { ...SETTLED, settledAt: (END + 5) * 1_000 + 999 } },
      [missing],
    ],
    [
      'is unused by the newest block and used in the final one',
      'open',
      { time: END + 21, usedFrom: FINAL },
      [],
    ],
    ['was canceled', 'missing', { time: END + 21, trace: { kind: 'canceled' }, usedFrom: FINAL }, [missing]],
    [
      'was canceled in a later block',
      'open',
      { time: END + 21, trace: { kind: 'canceled' }, usedFrom: HEAD },
      [],
    ],
    [
      'was spent elsewhere',
      'missing',
      { time: END + 21, trace: used([], [FINAL]), usedFrom: FINAL },
      [missing],
    ],
    [
      'was used without a log since its claim',
      'open',
      { time: END + 21, trace: used([]), usedFrom: CLAIMED + 1n },
      [],
    ],
    [
      'was used before its claim',
      'missing',
      { time: END + 21, trace: used([]), usedFrom: CLAIMED },
      [missing],
    ],
    [
      'was used without a log, and its claim has no block',
      'open',
      { time: END + 21, trace: used([]), usedFrom: 0n, row: { ...SETTLED, claimedBlock: null } },
      [],
    ],
    [
      'was paid by a log that settled another',
      'missing',
      { time: END + 21, trace: used([FINAL]), usedFrom: FINAL, lostMoves: 1 },
      [found, missing],
    ],
    ['is moved by another process meanwhile', 'open', { time: END + 21, lostMoves: 1 }, [missing]],
  ])('and %s is %s', async (_what, outcome, given, moves) => {
    const stage = bench({ row: SETTLED, ...given })
    const none = { found: 0, missing: 0, open: 0 }
    expect(await audit(stage.options)).toEqual({ ...none, [outcome]: 1, complete: true })
    expect(stage.moves).toEqual(moves)
    expect(stage.missing).toEqual(outcome === 'missing' ? [stage.row] : [])
    expect(stage.looks).toEqual(['next run'])
  })

  test('is looked for once twice as many blocks as make it final may have come since, at two seconds each', async () => {
    const { options, bounds, traced } = bench({ row: SETTLED })
    await audit(options)
    // The store lists what was settled before this.
    expect(bounds).toEqual([NOW - 40_000 + 1])
    expect(traced).toEqual([START])
  })
})
