/** A list bought over a channel of the real service, by processes that die at any step of it. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { generatePrivateKey } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { ASK_FOR_CHANNELS } from '../../../src/buyer/channel/ask-for-channels.ts'
import { buyOverChannel } from '../../../src/buyer/channel/channel-buyer.ts'
import { createChannelWallet } from '../../../src/buyer/channel/channel-wallet.ts'
import { createListBuyer } from '../../../src/buyer/list-buyer.ts'
import { type ChannelFile, openChannelFile } from '../../../src/cli/channel/channel-file.ts'
import { createChannelPayer } from '../../../src/cli/channel/pay-batch-by-channel.ts'
import { buyList } from '../../../src/cli/list/buy-list.ts'
import { type Journal, openJournal } from '../../../src/cli/list/journal.ts'
import { DAY_MS } from '../../../src/ledger/utc-days.ts'
import type { RowResult } from '../../../src/lists/results.ts'
import { type ChannelService, startChannelService } from '../../channels/channel-service.ts'
import { storeFolder } from '../../support/fresh-store.ts'
import { validValue } from '../../support/identifiers.ts'

const PRICE = 1_000n
const BATCH = 3
const valuesFrom = (first: number, count: number) =>
  Array.from({ length: count }, (_, at) => validValue('iban', first + at))
/** Two payments. */
const LIST = valuesFrom(0, 4)

class Crash extends Error {}

/** The steps of one process; it dies before or after the n-th of them. */
function mortal(dieAt = Number.POSITIVE_INFINITY) {
  let steps = 0
  const step = () => {
    steps += 1
    if (steps === dieAt) throw new Crash()
  }
  const around =
    <A extends unknown[], T>(act: (...args: A) => T) =>
    (...args: A): T => {
      step()
      const result = act(...args)
      step()
      return result
    }
  return { around, step }
}

let service: ChannelService
let scratch: string
beforeAll(async () => {
  service = await startChannelService()
})
afterAll(() => service.stop())
beforeEach(() => {
  scratch = storeFolder('list')
})
afterEach(() => rmSync(scratch, { recursive: true }))

interface RunOptions {
  readonly dieAt?: number
  readonly journal?: string
  readonly maxSpend?: bigint
  readonly batch?: number
  readonly deposit?: { readonly deposit: bigint; readonly grows: boolean }
  readonly signal?: AbortSignal
}

/** A person with one key and one channel file. */
function person(key = generatePrivateKey()) {
  const wallet = createChannelWallet(key)
  const path = join(scratch, `${key}.sqlite`)
  const backoff = { sends: 2, sleep: async () => {} }
  const ids = new Set<string>()
  const partsOf = (book: ChannelFile) => ({
    wallet,
    book,
    readChannel: async (id: string) => {
      ids.add(id.toLowerCase())
      return service.bench.contract.state(id.toLowerCase())
    },
    backoff,
  })

  /** One run of `buy --file --channel`. */
  async function list(values: readonly string[], options: RunOptions = {}) {
    const { dieAt, journal: name = 'list', maxSpend = null, batch = BATCH } = options
    const { around, step } = mortal(dieAt)
    const book = openChannelFile(path)
    const journal = openJournal(join(scratch, `${key}-${name}.journal`), {
      type: 'iban',
      url: service.url,
    })
    const buyer = createListBuyer(
      { url: service.url, type: 'iban', maxAmount: PRICE, headers: ASK_FOR_CHANNELS },
      backoff,
    )
    const noted: Journal = {
      ...journal,
      begin: around(journal.begin),
      settle: around(journal.settle),
      void: around(journal.void),
      lose: around(journal.lose),
    }
    const written: RowResult[] = []
    const signal = options.signal ?? new AbortController().signal
    try {
      const payer = createChannelPayer({
        parts: partsOf({ ...book, write: around(book.write) }),
        buyer: {
          ...buyer,
          async send(...args) {
            step()
            const reply = await buyer.send(...args)
            step()
            return reply
          },
        },
        journal: noted,
        deposit: options.deposit ?? { deposit: 250_000n, grows: true },
        maxSpend,
        signal,
      })
      const rows = (async function* () {
        for (const value of values) yield { line: 1, cells: [value], type: 'iban' as const, value }
      })()
      const stop = await buyList({
        ...{ rows, payer, journal: noted, batch, signal },
        write: async (_row, results) => void written.push(...results),
      })
      return { stop, written, totals: journal.totals(), crashed: false }
    } catch (error) {
      if (!(error instanceof Crash)) throw error
      return { stop: null, written, totals: journal.totals(), crashed: true }
    } finally {
      journal.close({ isDone: false })
      book.close()
    }
  }

  /** One run of `buy VALUE --channel`. */
  async function single(value: string) {
    const book = openChannelFile(path)
    try {
      const purchase = {
        url: service.url,
        type: 'iban',
        maxAmount: PRICE,
        deposit: 250_000n,
        maxSpend: null,
      } as const
      const outcome = await buyOverChannel(purchase, value, partsOf(book))
      if (outcome.kind === 'bought') outcome.settle()
      return outcome
    } finally {
      book.close()
    }
  }
  const charged = async () => {
    let sum = 0n
    for (const id of ids) sum += (await service.bench.store.findChannel(id))?.charged ?? 0n
    return sum
  }
  /** The payment that a run which died has left. */
  function underWay() {
    const book = openChannelFile(path)
    const [pending] = [...ids].map((id) => book.find(id as `0x${string}`)?.pending)
    book.close()
    return pending?.payload
  }
  return { list, single, charged, underWay }
}

const lost = (written: readonly RowResult[]) =>
  written.filter((result) => result.kind === 'skipped' && result.code === 'answer_lost').length
const checked = (written: readonly RowResult[]) => written.filter(({ kind }) => kind === 'checked').length
const costOf = (values: readonly string[]) => BigInt(new Set(values).size) * PRICE

/** Runs that die at the first step, at the second and so on, until one does not; `then` is what follows each. */
async function atEveryStep(then: (person: ReturnType<typeof personOf>, dieAt: number) => Promise<void>) {
  for (let dieAt = 1; ; dieAt += 1) {
    const one = personOf()
    const { crashed } = await one.list(LIST, { dieAt })
    await then(one, dieAt)
    if (!crashed) {
      expect(dieAt).toBeGreaterThan(20)
      return
    }
  }
}
const personOf = () => person()

test('buys each value once, in as few vouchers as fit, and deposits what a payment needs', async () => {
  const { list, charged } = person()
  const many = valuesFrom(0, 300)
  const { stop, written, totals } = await list([...many, ...many.slice(0, 50)], { batch: 300 })
  expect(stop).toBeNull()
  expect(checked(written)).toBe(350)
  expect(totals).toEqual({ spent: costOf(many), uncertain: 0n, refused: 0n })
  expect(await charged()).toBe(costOf(many))
  expect(service.bench.contract.sent).toEqual(['deposit'])
})

describe('killed at any step', () => {
  test('the same command pays for nothing twice, and has every answer', async () => {
    await atEveryStep(async ({ list, charged }, dieAt) => {
      const { stop, written, totals } = await list(LIST)
      expect([dieAt, stop, checked(written), totals]).toEqual([
        dieAt,
        null,
        LIST.length,
        { spent: costOf(LIST), uncertain: 0n, refused: 0n },
      ])
      expect([dieAt, await charged()]).toEqual([dieAt, costOf(LIST)])
    })
  })

  test('a purchase of one value in between pays for itself alone', async () => {
    await atEveryStep(async ({ list, single, charged }, dieAt) => {
      // The first payment carries a deposit, which no other command may double.
      const { kind } = await single(validValue('iban', 99))
      expect(['bought', ...(dieAt <= 6 ? ['deposit_under_way'] : [])]).toContain(kind)
      const { stop, written } = await list(LIST)
      expect([dieAt, stop, checked(written) + lost(written)]).toEqual([dieAt, null, LIST.length])
      // What is lost was charged: the service has the answers of the newest voucher only.
      expect([dieAt, await charged()]).toEqual([dieAt, costOf(LIST) + (kind === 'bought' ? PRICE : 0n)])
    })
  })

  test('another list in between pays for itself alone', async () => {
    const other = valuesFrom(50, 4)
    await atEveryStep(async ({ list, charged }, dieAt) => {
      const between = await list(other, { journal: 'other', maxSpend: costOf(other) })
      expect([dieAt, checked(between.written)]).toEqual([dieAt, other.length])
      const { stop, written } = await list(LIST)
      expect([dieAt, stop, checked(written) + lost(written)]).toEqual([dieAt, null, LIST.length])
      expect([dieAt, await charged()]).toEqual([dieAt, costOf(LIST) + costOf(other)])
    })
  })

  test('a list whose values have moved waits for the payment under way, and loses no answer', async () => {
    const moved = [...valuesFrom(50, 4), ...LIST.toReversed()]
    await atEveryStep(async ({ list, charged }, dieAt) => {
      const { stop, written } = await list(moved)
      expect([dieAt, stop, checked(written)]).toEqual([dieAt, null, moved.length])
      expect([dieAt, await charged()]).toEqual([dieAt, costOf(moved)])
    })
  })

  test('however many new values come before those of the payment under way, no answer is lost', async () => {
    const [first, ...rest] = LIST
    const moved = [...valuesFrom(50, 30), ...rest, ...valuesFrom(80, 9), first ?? '']
    for (const dieAt of [7, 8, 9, 10]) {
      const { list, charged } = person()
      expect((await list(LIST, { dieAt, batch: 2 })).crashed).toBe(true)
      const { stop, written } = await list(moved, { batch: 1 })
      expect([dieAt, stop, checked(written)]).toEqual([dieAt, null, moved.length])
      expect([dieAt, await charged()]).toEqual([dieAt, costOf(moved)])
    }
  })

  // The second run may die with a payment of the first in hand, for values of another price.
  test.each([
    2, 4, 6, 8,
  ])('twice, the second time at step %i, with another list in between', async (again) => {
    const other = valuesFrom(50, 4)
    await atEveryStep(async ({ list, charged }, dieAt) => {
      await list(LIST, { dieAt: again })
      await list(other, { journal: 'other' })
      const { stop, written } = await list(LIST)
      expect([dieAt, stop, checked(written) + lost(written)]).toEqual([dieAt, null, LIST.length])
      expect([dieAt, await charged()]).toEqual([dieAt, costOf(LIST) + costOf(other)])
    })
  })

  test('any number of times, with other purchases in between', async () => {
    const act = fc.oneof(
      fc.record({ kind: fc.constant('list' as const), dieAt: fc.integer({ min: 1, max: 22 }) }),
      fc.record({ kind: fc.constant('other' as const), dieAt: fc.integer({ min: 1, max: 22 }) }),
      fc.record({ kind: fc.constant('single' as const), dieAt: fc.constant(0) }),
    )
    const other = valuesFrom(50, 4)
    await fc.assert(
      fc.asyncProperty(fc.array(act, { maxLength: 6 }), async (acts) => {
        const { list, single, charged } = person()
        let singles = 0
        for (const { kind, dieAt } of acts) {
          if (kind === 'single') {
            const { kind } = await single(validValue('iban', 100 + singles))
            expect(['bought', 'deposit_under_way']).toContain(kind)
            if (kind === 'bought') singles += 1
          } else if (kind === 'list') await list(LIST, { dieAt })
          else await list(other, { dieAt, journal: 'other' })
        }
        const [one, two] = [await list(LIST), await list(other, { journal: 'other' })]
        expect([one.stop, checked(one.written) + lost(one.written)]).toEqual([null, LIST.length])
        expect([two.stop, checked(two.written) + lost(two.written)]).toEqual([null, other.length])
        expect(await charged()).toBeLessThanOrEqual(costOf(LIST) + costOf(other) + BigInt(singles) * PRICE)
        if (lost(one.written) + lost(two.written) === 0)
          expect(await charged()).toBe(costOf(LIST) + costOf(other) + BigInt(singles) * PRICE)
      }),
      { numRuns: 15 },
    )
  })
})

test('stops before the payment that would pass the limit, and goes on under a higher one', async () => {
  const { list, charged } = person()
  const first = await list(LIST, { maxSpend: 3_999n })
  expect([first.stop, checked(first.written), await charged()]).toEqual([
    { kind: 'max_spend', refused: 0n },
    3,
    3_000n,
  ])
  const second = await list(LIST, { maxSpend: 4_000n })
  expect([second.stop, checked(second.written), await charged()]).toEqual([null, 4, 4_000n])
})

test('signs nothing more after an interruption', async () => {
  const { list, charged } = person()
  const interruption = new AbortController()
  interruption.abort()
  expect((await list(LIST, { signal: interruption.signal })).stop).toEqual({ kind: 'interrupted' })
  expect(await charged()).toBe(0n)
})

test('deposits no more than it may', async () => {
  const { list, charged } = person()
  const { stop } = await list(LIST, { deposit: { deposit: 1_000n, grows: false } })
  expect(stop).toEqual({ kind: 'not_bought', words: expect.stringContaining('needs a deposit of 0.25 USDC') })
  expect(await charged()).toBe(0n)
})

test('another command signs no second deposit until the one under way has run out', async () => {
  const { list, single, charged } = person()
  expect((await list(LIST, { dieAt: 2 })).crashed).toBe(true)
  expect(await single(validValue('iban', 99))).toEqual({ kind: 'deposit_under_way' })
  const now = Date.now()
  vi.spyOn(Date, 'now').mockReturnValue(now + DAY_MS)
  service.bench.pass(DAY_MS)
  const { kind } = await single(validValue('iban', 99)).finally(() => {
    vi.restoreAllMocks()
    service.bench.pass(-DAY_MS)
  })
  expect([kind, await charged()]).toEqual(['bought', PRICE])
})

test('strangers who guess at what the payment under way bought cost no answer', async () => {
  const { list, charged, underWay } = person()
  const { bench } = service
  expect((await list(LIST, { dieAt: 6 })).crashed).toBe(true)
  bench.layer.channels?.maintenance.claimSoon()
  await bench.layer.channels?.maintenance.run()
  for (let tried = 0; tried < 50; tried += 1)
    await bench.sell(
      { kind: 'object', payload: underWay() },
      bench.call(`guess ${tried}`, `stranger ${tried}`),
    )
  const { stop, written } = await list(LIST)
  expect([stop, checked(written), await charged()]).toEqual([null, LIST.length, costOf(LIST)])
})

test('a payment whose values have left the list is named by its voucher', async () => {
  const { list } = person()
  expect((await list(LIST, { dieAt: 6 })).crashed).toBe(true)
  const { stop } = await list(LIST.slice(3))
  expect(stop).toEqual({
    kind: 'changed',
    state: expect.stringMatching(/^a voucher for 0\.003 USDC of the channel 0x/),
  })
})
