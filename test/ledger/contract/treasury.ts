import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Ledger } from '../../../src/ledger/ledger.ts'
import {
  type DailyLossLimit,
  type Outlay,
  type Purpose,
  sumTreasury,
} from '../../../src/ledger/treasury/treasury-row.ts'
import { newChannel } from '../../support/channel-rows.ts'
import { eachWithStore, type OpenStore } from '../each-with-store.ts'

const DAY = '2026-11-20'
const PAYER = `0x${'a1'.repeat(20)}`
const SALE: Purpose = { kind: 'sale', payers: [] }
const DEPOSIT = { kind: 'deposit', payer: PAYER } as const
const REFUND = { kind: 'refund', payer: PAYER } as const
/** With so much budget for sales; a third of it is on top, for upkeep. */
const limit = (most: bigint, day = DAY): DailyLossLimit => ({ day, most: (most * 4n) / 3n })
const outlay = (spent: bigint, ...amounts: bigint[]): Outlay => ({
  spent,
  gas: spent * 10n,
  shares: amounts.map((amount) => ({ payer: PAYER, amount })),
})

/** What the operator earns, spends and may lose. */
export function describeTreasury(name: string, open: OpenStore): void {
  describe(`the treasury of the ${name} ledger`, () => {
    let ledger: Ledger
    eachWithStore(open, (opened) => {
      ledger = opened
    })
    const today = async () => sumTreasury(await ledger.treasury(DAY, DAY))

    test('reserves what fits under the daily loss limit, and counts a loss once the receipt is there', async () => {
      expect(await ledger.reserve('k/1', SALE, 60n, limit(100n))).toBe('admitted')
      expect(await ledger.reserve('k/2', SALE, 41n, limit(100n))).toBe('spent')
      expect(await today()).toMatchObject({ reserved: 60n, lost: 0n })
      expect(await ledger.release('k/1', outlay(50n, 20n, 0n))).toEqual({ lost: 30n, overrun: 0n })
      expect(await today()).toEqual({
        earned: 20n,
        spent: 50n,
        gas: 500n,
        sales: 2n,
        reserved: 0n,
        lost: 30n,
        credit: 0n,
        overrun: 0n,
      })
      expect(await ledger.reserve('k/2', SALE, 70n, limit(100n))).toBe('admitted')
      expect(await ledger.reserve('k/3', SALE, 1n, limit(100n))).toBe('spent')
      expect(await ledger.reserve('k/3', SALE, 100n, limit(100n, '2026-11-21'))).toBe('admitted')
    })

    test('past the daily loss limit admits a sale alone, if its payer has brought in what it may cost', async () => {
      const alone: Purpose = { kind: 'sale', payers: [PAYER] }
      await ledger.reserve('k/1', SALE, 10n, limit(100n))
      await ledger.release('k/1', outlay(10n, 100n))
      await ledger.reserve('k/2', SALE, 100n, limit(100n))
      expect(await ledger.reserve('k/3', SALE, 50n, limit(100n))).toBe('spent')
      expect(
        await ledger.reserve('k/3', { kind: 'sale', payers: [`0x${'b2'.repeat(20)}`] }, 50n, limit(100n)),
      ).toBe('spent')
      expect(await ledger.reserve('k/3', alone, 91n, limit(100n))).toBe('spent')
      expect(await ledger.reserve('k/3', alone, 50n, limit(100n))).toBe('covered')
      // What is reserved of its account counts, and nothing of the daily loss limit is taken.
      expect(await ledger.reserve('k/4', alone, 41n, limit(100n))).toBe('spent')
      expect(await ledger.reserve('k/4', alone, 40n, limit(100n))).toBe('covered')
      expect(await today()).toMatchObject({ reserved: 100n, lost: 0n })
      // A payer that burns what it brought in costs no one else anything.
      expect(await ledger.release('k/3', outlay(50n, 0n))).toEqual({ lost: 0n, overrun: 0n })
      expect(await ledger.release('k/4', outlay(30n, 0n))).toEqual({ lost: 0n, overrun: 0n })
      expect(await today()).toMatchObject({ reserved: 100n, lost: 0n, overrun: 0n, spent: 90n })
      expect(await ledger.reserve('k/5', alone, 11n, limit(100n))).toBe('spent')
      expect(await ledger.reserve('k/5', alone, 10n, limit(100n))).toBe('covered')
      expect(await ledger.release('k/5', outlay(10n, 60n))).toEqual({ lost: 0n, overrun: 0n })
      expect(await ledger.reserve('k/6', alone, 60n, limit(100n))).toBe('covered')
    })

    describe('leaves of the budget for sales, here 1,600', () => {
      const [stranger, honest] = [PAYER, `0x${'b2'.repeat(20)}`]
      const sale = (...payers: string[]): Purpose => ({ kind: 'sale', payers })
      const ask = (id: string, worst: bigint, ...payers: string[]) =>
        ledger.reserve(id, sale(...payers), worst, limit(1_600n))
      /** Counts against the day, and is no one's. */
      const lose = async (amount: bigint) => {
        await ledger.reserve('lost', { kind: 'upkeep' }, amount, limit(1_600n))
        await ledger.release('lost', { spent: amount, gas: 0n, shares: [] })
      }
      const pay = async (payer: string, spent: bigint, amount: bigint) => {
        await ledger.reserve('paid', sale(payer), spent, limit(1_600n, '2026-11-19'))
        await ledger.release('paid', { spent, gas: 0n, shares: [{ payer, amount }] })
      }

      test('the first quarter to everyone, also to one who owes', async () => {
        await pay(stranger, 300n, 0n)
        expect(await ask('k/1', 400n, stranger)).toBe('admitted')
        expect(await ask('k/1', 401n, stranger)).toEqual({ overShare: [stranger] })
        // Another day has its own budget, and what is owed is still owed.
        expect(await ledger.reserve('k/1', sale(stranger), 401n, limit(1_600n, '2026-11-21'))).toEqual({
          overShare: [stranger],
        })
      })

      test('up to three quarters to those who owe nothing, and the last to those who have paid', async () => {
        await lose(1_190n)
        expect(await ask('k/1', 11n, stranger)).toBe('spent')
        expect(await ask('k/1', 22n, stranger, honest)).toBe('spent')
        await pay(honest, 10n, 11n)
        expect(await ask('k/1', 10n, stranger)).toBe('admitted')
        expect(await ask('k/2', 22n, stranger, honest)).toEqual({ overShare: [stranger] })
        expect(await ask('k/2', 400n, honest)).toBe('admitted')
        expect(await ask('k/3', 2n, honest)).toEqual({ overShare: [honest] })
      })

      test('past the first quarter one settlement beyond what a payer has brought in, wherever those under way are', async () => {
        await lose(400n)
        expect(await ask('k/1', 20n, stranger, stranger)).toEqual({ overShare: [stranger] })
        expect(await ask('k/1', 10n, stranger)).toBe('admitted')
        expect(await ask('k/2', 10n, stranger)).toEqual({ overShare: [stranger] })
        expect(await ask('k/2', 20n, stranger, honest)).toEqual({ overShare: [stranger] })
        // The same nonce again takes the place of the first, and a lost nonce takes what it had reserved along.
        expect(await ask('k/1', 10n, stranger)).toBe('admitted')
        expect(await ledger.moveReserve('k/1', 'k/3')).toBe(true)
        expect(await ask('k/2', 10n, stranger)).toEqual({ overShare: [stranger] })
        await ledger.release('k/3', outlay(9n, 29n))
        // It has 20 now: two under way and one more.
        for (const id of ['k/1', 'k/2', 'k/3']) expect(await ask(id, 10n, stranger)).toBe('admitted')
        expect(await ask('k/4', 21n, stranger)).toEqual({ overShare: [stranger] })
      })

      test('budget for a payer whose sales cost more than they brought in', async () => {
        for (let times = 0; times < 3; times += 1) await pay(honest, 17n, 10n)
        await lose(400n)
        expect(await ask('k/1', 17n, honest)).toBe('admitted')
        await ledger.release('k/1', { spent: 17n, gas: 0n, shares: [{ payer: honest, amount: 0n }] })
        expect(await ask('k/1', 17n, honest)).toEqual({ overShare: [honest] })
      })

      test('budget for a payer of channels by what was charged there', async () => {
        const { config } = newChannel()
        await ledger.openChannel(newChannel({ config: { ...config, payer: stranger }, charged: 100n }))
        await lose(1_200n)
        expect(await ask('k/1', 100n, stranger)).toBe('admitted')
        expect(await ask('k/2', 1n, stranger)).toBe('admitted')
      })

      test('budget alone to one who owes, if its account covers that', async () => {
        await pay(stranger, 0n, 100n)
        for (const id of ['k/1', 'k/2']) expect(await ask(id, 90n, stranger)).toBe('admitted')
        await lose(900n)
        expect(await ask('k/3', 100n, stranger)).toBe('covered')
        expect(await ask('k/4', 1n, stranger)).toEqual({ overShare: [stranger] })
      })
    })

    test('takes a sale alone from the daily budget as long as it fits', async () => {
      expect(await ledger.reserve('k/1', { kind: 'sale', payers: [PAYER] }, 60n, limit(100n))).toBe(
        'admitted',
      )
      expect(await today()).toMatchObject({ reserved: 60n })
      expect(await ledger.release('k/1', outlay(50n, 20n))).toEqual({ lost: 30n, overrun: 0n })
      expect(await today()).toMatchObject({ reserved: 0n, lost: 30n, earned: 20n, spent: 50n })
    })

    test('tells the days that are asked for, oldest first', async () => {
      const days = ['2026-11-22', '2026-11-19', '2026-11-20', '2026-11-21']
      for (const [at, day] of days.entries()) await ledger.reserve(`k/${at}`, SALE, 10n, limit(100n, day))
      const found = await ledger.treasury('2026-11-20', '2026-11-21')
      expect(found.map(({ day, reserved }) => [day, reserved])).toEqual([
        ['2026-11-20', 10n],
        ['2026-11-21', 10n],
      ])
    })

    test('books a transaction once, and a second reserve of one name in place of the first', async () => {
      expect(await ledger.release('k/1', outlay(5n))).toBeNull()
      await ledger.reserve('k/1', SALE, 60n, limit(100n))
      await ledger.reserve('k/1', SALE, 80n, limit(100n))
      expect(await today()).toMatchObject({ reserved: 80n, spent: 0n, gas: 0n, sales: 0n, lost: 0n })
      expect(await ledger.release('k/1', outlay(10n, 10n))).toEqual({ lost: 0n, overrun: 0n })
      expect(await ledger.release('k/1', outlay(10n, 10n))).toBeNull()
      expect(await today()).toMatchObject({ reserved: 0n, spent: 10n, lost: 0n })
    })

    test('admits nothing on top of what passed its reserve', async () => {
      await ledger.reserve('k/1', SALE, 60n, limit(100n))
      expect(await ledger.release('k/1', outlay(75n, 0n))).toEqual({ lost: 60n, overrun: 15n })
      expect(await ledger.reserve('k/2', SALE, 26n, limit(100n))).toBe('spent')
      expect(await ledger.mayAct(DEPOSIT, 26n, limit(100n))).toBe('credit_spent')
      expect(await ledger.reserve('k/2', SALE, 25n, limit(100n))).toBe('admitted')
      expect(await today()).toMatchObject({ reserved: 25n, lost: 60n, overrun: 15n })
    })

    test('counts upkeep as any loss, and has a last part for it that sales and deposits may not use', async () => {
      const upkeep: Purpose = { kind: 'upkeep' }
      expect(await ledger.reserve('k/1', upkeep, 20n, limit(99n))).toBe('admitted')
      expect(await today()).toMatchObject({ reserved: 20n })
      expect(await ledger.release('k/1', outlay(15n))).toEqual({ lost: 15n, overrun: 0n })
      expect(await ledger.reserve('k/2', SALE, 85n, limit(99n))).toBe('spent')
      expect(await ledger.reserve('k/2', SALE, 84n, limit(99n))).toBe('admitted')
      expect(await ledger.reserve('k/3', DEPOSIT, 1n, limit(99n))).toBe('credit_spent')
      expect(await ledger.reserve('k/3', upkeep, 34n, limit(99n))).toBe('spent')
      expect(await ledger.reserve('k/3', upkeep, 33n, limit(99n))).toBe('admitted')
      expect(await ledger.reserve('k/4', upkeep, 1n, limit(99n))).toBe('spent')
      expect(await today()).toMatchObject({ reserved: 117n, lost: 15n })
    })

    test('takes from the budget what a payer no longer covers of two refunds that were begun at once', async () => {
      await ledger.reserve('k/1', SALE, 10n, limit(100n))
      await ledger.release('k/1', outlay(10n, 50n))
      expect(await ledger.mayAct(REFUND, 40n, limit(100n))).toBe('admitted')
      expect(await ledger.reserve('k/2', REFUND, 40n, limit(100n))).toBe('admitted')
      expect(await ledger.mayAct(REFUND, 40n, limit(100n))).toBe('account_exceeded')
      expect(await ledger.reserve('k/3', REFUND, 40n, limit(100n))).toBe('admitted')
      expect(await today()).toMatchObject({ reserved: 40n, credit: 40n })
      await ledger.release('k/2', outlay(40n))
      expect(await ledger.release('k/3', outlay(30n))).toEqual({ lost: 30n, overrun: 0n })
      expect(await today()).toMatchObject({ reserved: 0n, lost: 30n, credit: 30n })
      expect(await ledger.reserve('k/4', REFUND, 40n, limit(50n))).toBe('credit_spent')
    })

    test('gives the reserve of a lost nonce to the next, with its payer and day, however little budget is left', async () => {
      expect(await ledger.moveReserve('k/1', 'k/2')).toBe(false)
      await ledger.reserve('k/1', SALE, 100n, limit(100n, '2026-11-19'))
      await ledger.reserve('k/2', SALE, 7n, limit(100n, '2026-11-19'))
      expect(await ledger.reserve('k/2', SALE, 7n, limit(108n, '2026-11-19'))).toBe('admitted')
      expect(await ledger.moveReserve('k/1', 'k/2')).toBe(true)
      const earlier = async () => sumTreasury(await ledger.treasury('2026-11-19', '2026-11-19'))
      expect(await earlier()).toMatchObject({ reserved: 100n, lost: 0n })
      expect(await ledger.release('k/1', outlay(9n, 0n))).toBeNull()
      expect(await ledger.release('k/2', outlay(90n, 0n))).toEqual({ lost: 90n, overrun: 0n })
      expect([await earlier(), await ledger.moveReserve('k/1', 'k/2')]).toMatchObject([
        { reserved: 0n, lost: 90n },
        false,
      ])
    })

    test('pays for acts of a channel with what its payer has brought in, and for a first one on credit', async () => {
      expect(await ledger.mayAct(DEPOSIT, 40n, limit(100n))).toBe('on_credit')
      expect(await ledger.mayAct(REFUND, 40n, limit(100n))).toBe('account_exceeded')
      expect(await ledger.reserve('k/1', DEPOSIT, 40n, limit(100n))).toBe('admitted')
      expect(await ledger.reserve('k/2', DEPOSIT, 40n, limit(100n))).toBe('account_exceeded')
      await ledger.release('k/1', outlay(30n))
      expect(await today()).toMatchObject({ reserved: 0n, lost: 30n, credit: 30n })
      expect(await ledger.mayAct(REFUND, 40n, limit(100n))).toBe('account_exceeded')
      const { config } = newChannel()
      await ledger.openChannel(newChannel({ config: { ...config, payer: PAYER }, charged: 100n }))
      expect(await ledger.mayAct(REFUND, 40n, limit(0n))).toBe('admitted')
      expect(await ledger.reserve('k/2', REFUND, 40n, limit(0n))).toBe('admitted')
      // 100 brought in, 30 spent, 40 reserved.
      expect(await ledger.reserve('k/3', DEPOSIT, 40n, limit(100n))).toBe('account_exceeded')
      expect(await ledger.reserve('k/3', DEPOSIT, 30n, limit(100n))).toBe('admitted')
      // Its own reserve is no reason against the one that takes its place.
      expect(await ledger.reserve('k/3', DEPOSIT, 30n, limit(100n))).toBe('admitted')
      expect(await ledger.release('k/2', outlay(35n))).toEqual({ lost: 0n, overrun: 0n })
      expect(await today()).toMatchObject({ spent: 65n, reserved: 0n, lost: 30n, credit: 30n })
    })

    test('gives credit up to half of the daily loss limit', async () => {
      const deposit = (digit: string, worst: bigint) =>
        ledger.reserve(`k/${digit}`, { kind: 'deposit', payer: `0x${digit.repeat(40)}` }, worst, limit(100n))
      expect(await deposit('1', 30n)).toBe('admitted')
      expect(await deposit('2', 30n)).toBe('credit_spent')
      expect(await ledger.mayAct(DEPOSIT, 30n, limit(100n))).toBe('credit_spent')
      expect(await deposit('3', 20n)).toBe('admitted')
      expect(await ledger.reserve('k/4', SALE, 50n, limit(100n))).toBe('admitted')
      await ledger.release('k/1', { spent: 0n, gas: 0n, shares: [] })
      expect(await deposit('1', 30n)).toBe('admitted')
    })

    test('answers before a deposit what its reserve would be answered, to the last unit', async () => {
      await ledger.reserve('k/1', SALE, 30n, limit(100n))
      await ledger.reserve('k/2', SALE, 35n, limit(100n))
      await ledger.release('k/2', outlay(25n, 0n))
      await ledger.reserve('k/3', { kind: 'deposit', payer: '0x02' }, 7n, limit(200n))
      // 30 and 7 are reserved, 25 lost; 7 of that on credit.
      for (const [worst, most, said] of [
        [38n, 100n, 'on_credit'],
        [39n, 100n, 'credit_spent'],
        [63n, 140n, 'on_credit'],
        [64n, 140n, 'credit_spent'],
      ] as const) {
        expect(await ledger.mayAct(DEPOSIT, worst, limit(most))).toBe(said)
        const reserved = await ledger.reserve('k/4', DEPOSIT, worst, limit(most))
        expect(reserved).toBe(said === 'on_credit' ? 'admitted' : said)
        await ledger.release('k/4', { spent: 0n, gas: 0n, shares: [] })
      }
    })

    test('gives credit once to a payer, however little', async () => {
      expect(await ledger.reserve('k/1', DEPOSIT, 1n, limit(1n))).toBe('credit_spent')
      expect(await ledger.reserve('k/1', DEPOSIT, 1n, limit(2n))).toBe('admitted')
      expect(await ledger.reserve('k/2', DEPOSIT, 1n, limit(100n))).toBe('account_exceeded')
    })

    test.each([
      ['what it brought in pays for a part', 0n, 20n, 20n],
      ['what it cost before is not lent again', 30n, 20n, 40n],
    ])('gives a payer credit for a first deposit: %s', async (_, spent, earned, credit) => {
      await ledger.reserve('k/1', SALE, 40n, limit(200n))
      await ledger.release('k/1', outlay(spent, earned))
      expect(await ledger.reserve('k/2', DEPOSIT, 40n, limit(200n))).toBe('admitted')
      expect(await today()).toMatchObject({ credit, reserved: credit })
    })

    test('divides what a transaction cost equally among its shares, to the last unit', async () => {
      const payers = ['0x0a', '0x0b', '0x0a']
      await ledger.reserve('k/1', SALE, 100n, limit(1_000n))
      const shares = payers.map((payer) => ({ payer, amount: 1_000n }))
      await ledger.release('k/1', { spent: 101n, gas: 0n, shares })
      for (const [payer, left] of [
        ['0x0a', 2_000n - 33n - 34n],
        ['0x0b', 1_000n - 34n],
      ] as const) {
        const act = { kind: 'refund', payer } as const
        expect(await ledger.mayAct(act, left, limit(0n))).toBe('admitted')
        expect(await ledger.mayAct(act, left + 1n, limit(0n))).toBe('account_exceeded')
      }
      expect(await today()).toMatchObject({ earned: 3_000n, spent: 101n, sales: 3n })
    })

    test('forgets the sums of a payer without a channel after 400 days, and keeps those of all', async () => {
      await ledger.reserve('k/1', SALE, 60n, limit(100n))
      await ledger.release('k/1', outlay(50n, 20n))
      await ledger.reserve('k/2', DEPOSIT, 20n, limit(100n))
      await ledger.release('k/2', outlay(20n))
      const windows = { deliveredMs: 1, undeliveredMs: 1 }
      await ledger.purge(Date.parse(DAY) + 400 * 86_400_000, windows)
      expect(await ledger.mayAct(DEPOSIT, 1n, limit(100n))).toBe('account_exceeded')
      await ledger.purge(Date.parse(DAY) + 401 * 86_400_000, windows)
      expect(await ledger.mayAct(DEPOSIT, 1n, limit(100n))).toBe('on_credit')
      expect(await today()).toMatchObject({ spent: 70n, lost: 50n })
    })

    test('keeps the sums of a payer that has a channel', async () => {
      await ledger.reserve('k/1', DEPOSIT, 20n, limit(100n))
      await ledger.release('k/1', outlay(20n))
      const { config } = newChannel()
      await ledger.openChannel(newChannel({ config: { ...config, payer: PAYER }, charged: 5n }))
      await ledger.purge(Date.parse(DAY) + 500 * 86_400_000, { deliveredMs: 1, undeliveredMs: 1 })
      expect(await ledger.mayAct(DEPOSIT, 1n, limit(100n))).toBe('account_exceeded')
    })

    test('forgets after 30 days what was reserved for a transaction', async () => {
      const windows = { deliveredMs: 1, undeliveredMs: 1 }
      for (const id of ['k/1', 'k/2']) await ledger.reserve(id, SALE, 20n, limit(100n))
      await ledger.purge(Date.parse(DAY) + 30 * 86_400_000, windows)
      expect(await ledger.release('k/1', outlay(20n))).not.toBeNull()
      await ledger.purge(Date.parse(DAY) + 31 * 86_400_000, windows)
      expect(await ledger.release('k/2', outlay(20n))).toBeNull()
    })

    test('gives a payer credit once, however many of its deposits come at the same moment', async () => {
      const names = Array.from({ length: 20 }, (_, index) => `k/${index}`)
      const answers = await Promise.all(names.map((id) => ledger.reserve(id, DEPOSIT, 1n, limit(100n))))
      expect(answers.filter((each) => each === 'admitted')).toHaveLength(1)
      expect(answers.filter((each) => each === 'account_exceeded')).toHaveLength(19)
    })

    test('never passes the daily loss limit, however many reserve at the same moment', async () => {
      const names = Array.from({ length: 40 }, (_, index) => `k/${index}`)
      const admitted = await Promise.all(names.map((id) => ledger.reserve(id, SALE, 7n, limit(100n))))
      expect(admitted.filter((each) => each === 'admitted')).toHaveLength(14)
      const { length } = (await Promise.all(names.map((id) => ledger.release(id, outlay(7n, 0n))))).filter(
        Boolean,
      )
      expect(length).toBe(14)
      expect(await today()).toMatchObject({ reserved: 0n, lost: 98n })
    })

    test('never passes the daily loss limit, in whatever order of acts, losses and repeats', async () => {
      const id = fc.constantFrom('k/1', 'k/2', 'k/3')
      const amount = fc.bigInt(0n, 60n)
      const payer = fc.constantFrom('0x01', '0x02')
      const purpose = fc.oneof(
        fc.constant(SALE),
        fc.record({ kind: fc.constantFrom('deposit' as const, 'refund' as const), payer }),
        fc.constant<Purpose>({ kind: 'upkeep' }),
      )
      const step = fc.oneof(
        fc.record({ act: fc.constant('reserve' as const), id, purpose, amount }),
        fc.record({ act: fc.constant('release' as const), id, amount, income: fc.bigInt(0n, 20n) }),
      )
      let run = 0
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
          const day = new Date(Date.UTC(2030, 0, 1) + 86_400_000 * run++).toISOString().slice(0, 10)
          for (const each of steps) {
            if (each.act === 'reserve')
              await ledger.reserve(each.id, each.purpose, each.amount, limit(100n, day))
            else await ledger.release(each.id, outlay(each.amount, each.income))
            const { reserved, lost, credit } = sumTreasury(await ledger.treasury(day, day))
            expect(reserved).toBeGreaterThanOrEqual(0n)
            expect(reserved + lost).toBeLessThanOrEqual(limit(100n, day).most)
            expect(credit).toBeLessThanOrEqual(50n)
          }
          for (const each of ['k/1', 'k/2', 'k/3']) await ledger.release(each, outlay(0n))
          expect(sumTreasury(await ledger.treasury(day, day)).reserved).toBe(0n)
        }),
        { numRuns: 40 },
      )
    })
  })
}
