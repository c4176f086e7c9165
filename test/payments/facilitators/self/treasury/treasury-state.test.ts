/** What the operator's account says and reports, over a scripted store and a clock that a test drives. */
import type { TransactionReceipt } from 'viem'
import { describe, expect, test } from 'vitest'
import type { Admission, Outlay } from '../../../../../src/ledger/treasury/treasury-row.ts'
import {
  createTreasury,
  dollarsOf,
  purposeOf,
  reserveName,
  TreasuryRefused,
} from '../../../../../src/payments/facilitators/self/treasury/treasury.ts'
import { payerOf } from '../../../../support/settlement-calls.ts'

const HOUR_MS = 3_600_000
const NOON = Date.parse('2026-11-20T12:00:00Z')
const ETHER = 10n ** 18n
/** Of which 1,000 are for sales, and 750 for new payers. */
const DAILY_LOSS_LIMIT = { day: '2026-11-20', most: 1_333n }

function bench() {
  const store = {
    at: NOON,
    admission: 'admitted' as Admission,
    booked: { lost: 0n, overrun: 0n } as { lost: bigint; overrun: bigint } | null,
    today: { reserved: 0n, lost: 0n, overrun: 0n },
  }
  const [asked, events, outlays] = [[] as unknown[], [] as string[], [] as Outlay[]]
  const treasury = createTreasury(
    {
      ledger: {
        reserve: async (...args) => {
          asked.push(args)
          return store.admission
        },
        release: async (name, outlay) => {
          asked.push(name)
          outlays.push(outlay)
          return store.booked
        },
        moveReserve: async (...args) => {
          asked.push(args)
          return true
        },
        mayAct: async (...args) => {
          asked.push(args)
          return 'on_credit'
        },
        treasury: async (from, to) => {
          asked.push([from, to])
          const none = { earned: 0n, spent: 0n, gas: 0n, sales: 0n, credit: 0n }
          return [{ day: from, ...none, ...store.today }]
        },
      },
      ...{ ethUsd: 1n, dailyLoss: DAILY_LOSS_LIMIT.most, now: () => store.at },
      report: (event) => void events.push(event),
    },
    { costOf: async ({ gasUsed }) => gasUsed * 10n ** 12n },
  )
  const sale = (worst = 10n ** 12n) => treasury.reserve('a/1', { kind: 'sale', payers: [] }, worst)
  /** Books a settlement of so many payers that brought in 10 each; its cost in millionths is its gas. */
  const book = (gas: bigint, payers = 1) =>
    treasury.release(
      'a/1',
      { gasUsed: gas } as TransactionReceipt,
      Array.from({ length: payers }, (_, payer) => ({ payer: payerOf(payer), amount: 10n })),
    )
  return { store, treasury, asked, events, outlays, sale, book }
}

test('wei are millionths of a dollar, rounded up at the last one, up to a million dollars', () => {
  const millionth = ETHER / 1_000_000n
  expect([0n, 1n, millionth, millionth + 1n].map((wei) => dollarsOf(wei, 1n))).toEqual([0n, 1n, 1n, 2n])
  expect(dollarsOf(ETHER, 3n)).toBe(3_000_000n)
  expect(dollarsOf(ETHER * 999_999n, 1n)).toBe(999_999_000_000n)
  expect([0n, 1n].map((more) => dollarsOf(ETHER * 1_000_000n + more, 1n))).toEqual([10n ** 12n, 10n ** 12n])
})

test('the transactions of a nonce have one name, whatever the case of the account', () => {
  expect(reserveName('0xAB', 7)).toBe('0xab/7')
})

describe('the limit on losses', () => {
  test('is asked with the most that a transaction may cost, for the day by the clock of the ledger', async () => {
    const { asked, treasury } = bench()
    await treasury.reserve('a/1', { kind: 'upkeep' }, 2n * 10n ** 12n)
    expect(await treasury.mayAct({ kind: 'refund', payer: '0x1' }, 3n * 10n ** 12n)).toBe('on_credit')
    expect(asked).toEqual([
      ['a/1', { kind: 'upkeep' }, 2n, DAILY_LOSS_LIMIT],
      [{ kind: 'refund', payer: '0x1' }, 3n, DAILY_LOSS_LIMIT],
    ])
    expect(await treasury.move('a/1', 'a/2')).toBe(true)
    expect(asked[2]).toEqual(['a/1', 'a/2'])
  })

  test('is not reached by upkeep that is refused, since sales may fit', async () => {
    const { store, treasury, events } = bench()
    store.admission = 'spent'
    await expect(treasury.reserve('a/1', { kind: 'upkeep' }, 1n)).rejects.toThrow(TreasuryRefused)
    expect([events, treasury.state().isSpent]).toEqual([[], false])
  })

  test('that is reached is reported once, until the budget is enough again', async () => {
    const { store, sale, events, treasury } = bench()
    store.admission = 'spent'
    for (const _ of [1, 2]) await expect(sale()).rejects.toThrow(TreasuryRefused)
    expect([events, treasury.state().isSpent]).toEqual([['daily_loss_reached'], true])
    store.admission = 'admitted'
    // It may be of a payer who has paid before.
    await sale()
    expect(treasury.state()).toMatchObject({ isSpent: true, dailyLoss: DAILY_LOSS_LIMIT.most })
    await treasury.maintain()
    expect(treasury.state().isSpent).toBe(false)
    store.admission = 'spent'
    await expect(sale()).rejects.toThrow('1 millionths of a dollar: spent')
    expect(events).toEqual(['daily_loss_reached', 'daily_loss_reached'])
  })

  test('is not reached by a batch, since a part of it may fit', async () => {
    const { store, treasury, events } = bench()
    store.admission = 'spent'
    await expect(treasury.reserve('a/1', { kind: 'sale', payers: ['0xa', '0xb'] }, 1n)).rejects.toThrow(
      'spent',
    )
    expect([events, treasury.state().isSpent]).toEqual([[], false])
    await expect(treasury.reserve('a/1', { kind: 'sale', payers: ['0xa'] }, 1n)).rejects.toThrow('spent')
    expect([events, treasury.state().isSpent]).toEqual([['daily_loss_reached'], true])
  })

  test.each([
    'account_exceeded',
    'credit_spent',
  ] as const)('is not reached by an act that is %s', async (said) => {
    const { store, sale, events, treasury } = bench()
    store.admission = said
    await expect(sale()).rejects.toThrow(TreasuryRefused)
    expect([events, treasury.state().isSpent]).toEqual([[], false])
  })

  test.each([
    ['what was refused fits', 400n, 249n, 0n, true],
    ['it just fits', 400n, 240n, 10n, true],
    ['it does not fit', 400n, 240n, 11n, false],
    ['nothing else counts', 0n, 0n, 0n, true],
  ])('has budget again where %s', async (_what, reserved, lost, overrun, fits) => {
    const { store, sale, asked, treasury } = bench()
    await treasury.maintain()
    expect(asked).toEqual([])
    store.admission = 'spent'
    await expect(sale(100n * 10n ** 12n)).rejects.toThrow()
    store.today = { reserved, lost, overrun }
    await treasury.maintain()
    expect(asked.at(-1)).toEqual([DAILY_LOSS_LIMIT.day, DAILY_LOSS_LIMIT.day])
    expect(treasury.state().isSpent).toBe(!fits)
  })

  test('lets one that alone exceeds it be tried again, since prices fall, once nothing else counts', async () => {
    const { store, sale, treasury } = bench()
    store.admission = 'spent'
    await expect(sale(2_000n * 10n ** 12n)).rejects.toThrow()
    store.today = { reserved: 0n, lost: 1n, overrun: 0n }
    await treasury.maintain()
    expect(treasury.state().isSpent).toBe(true)
    store.today = { reserved: 0n, lost: 0n, overrun: 0n }
    await treasury.maintain()
    expect(treasury.state().isSpent).toBe(false)
  })
})

describe('what a settlement has cost', () => {
  test('is below what it brought in or not, and only a change is reported', async () => {
    const { book, events, treasury } = bench()
    const seen = []
    for (const gas of [20n, 21n, 22n, 20n, 21n]) {
      await book(gas, 2)
      seen.push(treasury.state().isBelowCost)
    }
    expect(seen).toEqual([false, true, true, false, true])
    expect(events).toEqual(['sold_below_cost', 'sold_below_cost'])
  })

  test('is reported if it was more than was reserved, unless it brings nothing in by its nature', async () => {
    const { store, book, events } = bench()
    store.booked = { lost: 5n, overrun: 0n }
    await book(1n)
    expect(events).toEqual([])
    store.booked = { lost: 0n, overrun: 1n }
    await book(1n)
    expect(events).toEqual(['cost_above_reserve'])
    await book(1n, 0)
    expect(events).toHaveLength(1)
  })

  test('is booked once: what was released before changes nothing', async () => {
    const { store, book, events, treasury } = bench()
    store.booked = null
    await book(50n)
    expect([events, treasury.state().isBelowCost, treasury.state().gasPerSale()]).toEqual([[], false, null])
  })

  test('is nothing where nothing was mined', async () => {
    const { treasury, outlays, asked } = bench()
    await treasury.forget('a/3')
    expect([asked, outlays]).toEqual([['a/3'], [{ spent: 0n, gas: 0n, shares: [] }]])
    expect(treasury.state().gasPerSale()).toBeNull()
  })

  test('is, in gas, the median for each sale of the last hour', async () => {
    const { store, book, treasury } = bench()
    const gas = () => treasury.state().gasPerSale()
    await book(900n)
    store.at += HOUR_MS - 1
    expect(gas()).toBe(900)
    store.at += 1
    expect(gas()).toBeNull()
    for (const [each, payers] of [
      [300n, 3],
      [50n, 1],
      [120n, 1],
    ] as const)
      await book(each, payers)
    expect(gas()).toBe(100)
    await book(40n)
    expect(gas()).toBe(100)
    await book(30n)
    expect(gas()).toBe(50)
  })

  test('is remembered for some thousand settlements', async () => {
    const { book, treasury } = bench()
    for (let index = 0; index < 2_049; index += 1) await book(1n)
    for (let index = 0; index < 2_048; index += 1) await book(7n)
    // One of 4,097 is forgotten, so that half of the rest are of either kind.
    expect(treasury.state().gasPerSale()).toBe(7)
  })
})

test.each([
  ['exact', { type: 'deposit', channelConfig: { payer: '0xAB' } }, { kind: 'sale', payers: [] }],
  [
    'batch-settlement',
    { type: 'deposit', channelConfig: { payer: '0xAB' } },
    { kind: 'deposit', payer: '0xab' },
  ],
  [
    'batch-settlement',
    { type: 'refund', channelConfig: { payer: '0xAB' } },
    { kind: 'refund', payer: '0xab' },
  ],
  ['batch-settlement', { type: 'claim', channelConfig: { payer: '0xAB' } }, { kind: 'upkeep' }],
  ['batch-settlement', { type: 'settle' }, { kind: 'upkeep' }],
])('the purpose of a payment of the scheme %s that is %j is %j', (scheme, payload, purpose) => {
  expect(purposeOf({ accepted: { scheme }, payload } as never)).toEqual(purpose)
})
