/** How the receipts of one account's transactions are looked for, by a clock that a test drives. */
import type { Hex, TransactionReceipt } from 'viem'
import { describe, expect, test } from 'vitest'
import { createReceipts } from '../../../../../src/payments/facilitators/self/queue/receipts.ts'
import type { PendingTransaction } from '../../../../../src/payments/facilitators/self/queue/settlement-journal.ts'

const LOOK_MS = 300
const REPLACE_MS = 10_000

/** A node, a journal and a clock whose every sleep is over at once. */
function bench() {
  const mined = new Set<Hex>()
  const pending: PendingTransaction[] = []
  const [asked, slept, booked] = [[] as Hex[], [] as number[], [] as number[]]
  let [at, hurried] = [1_000_000, 0]
  /** What happens at each pause. */
  let onSleep = () => {}
  const fails = { look: false, replaceLate: false, book: false }
  const receiptOf = (hash: Hex) => ({ transactionHash: hash }) as TransactionReceipt
  const receipts = createReceipts({
    client: {
      getTransactionReceipt: async ({ hash }: { hash: Hex }) => {
        asked.push(hash)
        if (!mined.has(hash)) throw new Error('not found')
        return receiptOf(hash)
      },
    } as never,
    clock: {
      now: () => at,
      monotonicMs: () => at,
      sleep: async (ms) => {
        slept.push(ms)
        at += ms
        onSleep()
      },
    },
    journal: {
      look: async () => {
        if (fails.look) throw new Error('the store is down')
        return pending
      },
    },
    timing: { lookMs: LOOK_MS, replaceMs: REPLACE_MS },
    replaceLate: async () => {
      hurried += 1
      if (fails.replaceLate) throw new Error('the node is down')
    },
    book: async ({ nonce }) => {
      if (fails.book) throw new Error('the store is down')
      booked.push(nonce)
    },
  })
  const journal = (nonce: number, hashes: readonly Hex[], sentAt = at) => {
    const entry = { nonce, hashes, raw: '0x', sentAt, expiresAt: 0 } as const
    pending.push(entry)
    return entry
  }
  return {
    ...{ receipts, mined, pending, asked, slept, booked, journal, receiptOf, fails, now: () => at },
    hurried: () => hurried,
    onSleep: (act: () => void) => {
      onSleep = act
    },
  }
}

describe('the receipt of a transaction', () => {
  test('is asked for soon, then ever less often, and given up at the end of the wait', async () => {
    const { receipts, slept, now, journal } = bench()
    const begun = now()
    journal(1, ['0x1'])
    await expect(receipts.wait('0x1', begun + 2_000)).rejects.toThrow('no receipt in time')
    expect(slept[0]).toBeGreaterThan(0)
    expect(slept[0]).toBeLessThan(LOOK_MS)
    expect(slept).toEqual([...slept].sort((one, other) => one - other))
    expect(slept.at(-1)).toBe(LOOK_MS)
    expect(now()).toBeGreaterThanOrEqual(begun + 2_000)
    expect(now()).toBeLessThan(begun + 2_000 + LOOK_MS)
    expect(receipts.isSeen(['0x1'])).toBe(false)
  })

  test('is asked for after a tenth of a second, and half as long again each time', async () => {
    const { receipts, slept, now } = bench()
    await expect(receipts.wait('0x1', now() + 1_500)).rejects.toThrow()
    expect(slept).toEqual([100, 150, 225, 300, 300, 300, 300])
  })

  test('is given up at the very end of the wait, after a last look', async () => {
    const { receipts, slept, asked, now } = bench()
    await expect(receipts.wait('0x1', now() + 100)).rejects.toThrow('no receipt in time')
    expect([slept, asked]).toEqual([[100], ['0x1']])
  })

  test('is found although the journal cannot be read, and is seen although it cannot be booked', async () => {
    const { receipts, mined, now, receiptOf, fails, journal } = bench()
    mined.add('0x1').add('0x2')
    fails.look = true
    expect(await receipts.wait('0x1', now() + 900)).toEqual(receiptOf('0x1'))
    Object.assign(fails, { look: false, book: true })
    journal(2, ['0x2'])
    expect(await receipts.wait('0x2', now() + 900)).toEqual(receiptOf('0x2'))
    await new Promise(setImmediate)
    expect(receipts.isSeen(['0x2'])).toBe(true)
  })

  test('is booked under the newest hash, whichever was mined', async () => {
    const { receipts, mined, journal, now, booked } = bench()
    journal(1, ['0x1', '0x2'])
    mined.add('0x1')
    await receipts.wait('0x2', now() + 900)
    await new Promise(setImmediate)
    expect([booked, receipts.isSeen(['0x2'])]).toEqual([[1], true])
  })

  test('is booked and kept: who asks later is answered at once', async () => {
    const { receipts, mined, asked, booked, journal, now, receiptOf } = bench()
    journal(1, ['0x1'])
    mined.add('0x1')
    const both = [receipts.wait('0x1', now() + 900), receipts.wait('0x1', now() + 900)]
    expect(await Promise.all(both)).toEqual([receiptOf('0x1'), receiptOf('0x1')])
    expect(await receipts.wait('0x1', now())).toEqual(receiptOf('0x1'))
    expect([asked, booked]).toEqual([['0x1'], [1]])
    expect(receipts.isSeen(['0x0', '0x1'])).toBe(true)
    expect(receipts.isSeen(['0x0'])).toBe(false)
  })

  test('of another program, or one that left the journal, is looked for all the same', async () => {
    const { receipts, mined, booked, now, receiptOf } = bench()
    mined.add('0x1')
    expect(await receipts.wait('0x1', now() + 900)).toEqual(receiptOf('0x1'))
    expect(booked).toEqual([])
  })

  test('may be that of a transaction it replaced, also after the journal forgot both', async () => {
    const { receipts, mined, pending, journal, now, receiptOf, onSleep } = bench()
    journal(1, ['0x1', '0x2'])
    let looks = 0
    onSleep(() => {
      looks += 1
      if (looks === 2) pending.length = 0
      if (looks === 3) mined.add('0x1')
    })
    expect(await receipts.wait('0x2', now() + 9_000)).toEqual(receiptOf('0x1'))
  })

  test('may be that of any of its replacements', async () => {
    const { receipts, mined, journal, now, receiptOf, asked } = bench()
    journal(1, ['0x1', '0x2', '0x3'])
    mined.add('0x2')
    expect(await receipts.wait('0x3', now() + 900)).toEqual(receiptOf('0x2'))
    expect(asked).toEqual(['0x1', '0x2'])
  })

  test('is not asked for while the broadcast may still bring it', async () => {
    const { receipts, asked, booked, journal, now, receiptOf } = bench()
    const broadcast = Promise.withResolvers<TransactionReceipt | undefined>()
    receipts.expect(journal(1, ['0x1']), broadcast.promise)
    // EIP-7966 gives a node two seconds.
    await expect(receipts.wait('0x1', now() + 2_000)).rejects.toThrow()
    expect(asked).toEqual([])
    broadcast.resolve(receiptOf('0x1'))
    expect(await receipts.wait('0x1', now() + 2_000)).toEqual(receiptOf('0x1'))
    expect([asked, booked]).toEqual([[], [1]])
  })

  test.each([
    ['answered without one', true],
    ['took too long', false],
  ])('is asked for once the broadcast %s', async (_what, isAnswered) => {
    const { receipts, mined, asked, journal, now } = bench()
    mined.add('0x1')
    const answer = isAnswered ? Promise.resolve(undefined) : new Promise<undefined>(() => {})
    receipts.expect(journal(1, ['0x1']), answer)
    const begun = now()
    await receipts.wait('0x1', now() + 60_000)
    expect(asked).toEqual(['0x1'])
    if (isAnswered) expect(now() - begun).toBe(100)
    else expect(now() - begun).toBeGreaterThanOrEqual(2_500)
  })
})

describe('many that wait', () => {
  /** Which of these come before the first pause is over. */
  const waitForAll = async ({ receipts, now }: ReturnType<typeof bench>, hashes: readonly Hex[]) => {
    const until = now() + 1
    const waits = hashes.map((hash) => receipts.wait(hash, until))
    return (await Promise.allSettled(waits)).map(({ status }) => status === 'fulfilled')
  }

  test('are asked about from the earliest on, until one is not mined, nor the newest', async () => {
    const stage = bench()
    for (const nonce of [3, 1, 4, 2]) stage.journal(nonce, [`0x${nonce}`])
    stage.mined.add('0x1').add('0x3')
    expect(await waitForAll(stage, ['0x3', '0x1', '0x4', '0x2'])).toEqual([false, true, false, false])
    expect(stage.asked).toEqual(['0x1', '0x2', '0x4'])
  })

  test('are gone through where another program took the place of an earlier one', async () => {
    const stage = bench()
    for (const nonce of [1, 2, 3]) stage.journal(nonce, [`0x${nonce}`])
    stage.mined.add('0x2').add('0x3')
    expect(await waitForAll(stage, ['0x1', '0x2', '0x3'])).toEqual([false, true, true])
  })

  test('of other programs are all asked about, though none is mined', async () => {
    const stage = bench()
    expect(await waitForAll(stage, ['0x1', '0x2', '0x3'])).toEqual([false, false, false])
    expect(stage.asked).toEqual(['0x1', '0x2', '0x3'])
  })

  test('are looked at often again as soon as one is mined, or another waits', async () => {
    const { receipts, mined, journal, slept, now, onSleep } = bench()
    for (const nonce of [1, 2]) journal(nonce, [`0x${nonce}`])
    onSleep(() => {
      if (slept.length === 5) mined.add('0x1')
      if (slept.length === 9) mined.add('0x2')
    })
    await Promise.all((['0x1', '0x2'] as const).map((hash) => receipts.wait(hash, now() + 9_000)))
    expect([slept[4], slept[5]]).toEqual([LOOK_MS, slept[0]])
    journal(3, ['0x3'])
    mined.add('0x3')
    await receipts.wait('0x3', now() + 9_000)
    expect(slept.at(-1)).toBe(slept[0])
  })

  test('have the oldest offered again once one is late', async () => {
    const { receipts, journal, hurried, now } = bench()
    journal(1, ['0x1'], now() - REPLACE_MS + 2_000)
    await receipts.wait('0x1', now() + 1_000).catch(() => {})
    expect(hurried()).toBe(0)
    await receipts.wait('0x1', now() + 2_000).catch(() => {})
    expect(hurried()).toBeGreaterThan(0)
  })

  test('have the oldest offered again though others are not late', async () => {
    const { receipts, journal, hurried, now } = bench()
    journal(1, ['0x1'], now() - REPLACE_MS)
    journal(2, ['0x2'])
    await receipts.wait('0x1', now() + 100).catch(() => {})
    expect(hurried()).toBe(1)
  })

  test('are waited for although that fails', async () => {
    const { receipts, journal, mined, hurried, fails, now, onSleep, receiptOf } = bench()
    journal(1, ['0x1'], now() - REPLACE_MS)
    fails.replaceLate = true
    onSleep(() => {
      if (hurried() === 2) mined.add('0x1')
    })
    expect(await receipts.wait('0x1', now() + 9_000)).toEqual(receiptOf('0x1'))
  })
})
