import { describe, expect, test } from 'vitest'
import type { Block, ChainReader } from '../../../src/payments/chain/chain-reader.ts'
import { blockBefore, searchStart, traceQuery } from '../../../src/payments/recovery/search-start.ts'
import { mayHavePaidLately } from '../../../src/payments/sale/claim/guard-not-charged.ts'

const HEAD: Block = { number: 40_000_000n, timestamp: 1_900_000_000 } as Block
const HOUR = 3_600

/** A chain whose blocks come every so many seconds; counts the blocks that are asked for. */
function chainOf(secondsPerBlock: number) {
  const asked: bigint[] = []
  const [searched, searchedTo] = [[] as bigint[], [] as bigint[]]
  const chain = {
    head: async () => HEAD,
    block: async (number: bigint) => {
      asked.push(number)
      return { number, timestamp: HEAD.timestamp - Number(HEAD.number - number) * secondsPerBlock }
    },
    trace: async ({ fromBlock, toBlock }: Record<'fromBlock' | 'toBlock', bigint>) => {
      searched.push(fromBlock)
      searchedTo.push(toBlock)
      return { kind: 'used', payments: [], elsewhere: [] }
    },
  } as unknown as ChainReader
  return { chain, asked, searched, searchedTo }
}

describe('where a search of the chain begins', () => {
  const row = { claimedBlock: 39_999_000n, claimedAt: (HEAD.timestamp - HOUR) * 1000 }

  test('an hour of blocks before the claim, by its block or by its time, and never before the first', () => {
    expect(searchStart(row as never, HEAD)).toBe(39_997_200n)
    expect(searchStart({ ...row, claimedBlock: null } as never, HEAD)).toBe(39_996_400n)
    expect(searchStart({ ...row, claimedBlock: 1_799n } as never, HEAD)).toBe(0n)
    expect(
      searchStart({ ...row, claimedAt: (HEAD.timestamp + HOUR) * 1000, claimedBlock: null } as never, HEAD),
    ).toBe(HEAD.number - 1_800n)
  })

  test('and ends, whatever head a node names, at a block that no network has reached since the claim', () => {
    const end = (sinceMs: number) => traceQuery(row as never, HEAD, row.claimedAt + sinceMs).toBlock
    const { claimedBlock } = row
    expect(end(0)).toBe(claimedBlock + 1_800n)
    expect(end(1)).toBe(claimedBlock + 1_805n)
    expect(end(HOUR * 1000)).toBe(claimedBlock + 19_800n)
    // The clock was put back since the claim.
    expect(end(-HOUR * 1000)).toBe(claimedBlock + 1_800n)
    const young = { ...row, claimedBlock: 2n } as never
    expect(traceQuery(young, HEAD, row.claimedAt)).toMatchObject({ fromBlock: 0n, toBlock: 3_600n })
  })

  test('begins with the transaction of its row, unless that is no hash', () => {
    const named = (transaction: string | null) =>
      traceQuery({ ...row, transaction } as never, HEAD, row.claimedAt).transaction
    expect(named(`0x${'AB'.repeat(32)}`)).toBe(`0x${'ab'.repeat(32)}`)
    for (const none of [null, '', 'pending', '0x12']) expect(named(none)).toBeNull()
  })

  test.each([
    ['as many as expected', 2, 1],
    ['twice as many', 1, 12],
    ['half as many', 4, 1],
  ])('at a block older than a time, found with few questions where blocks are %s', async (_what, pace, most) => {
    const { chain, asked } = chainOf(pace)
    const time = HEAD.timestamp - HOUR + 1
    const found = await blockBefore(chain, HEAD, time)
    const at = HEAD.timestamp - Number(HEAD.number - found) * pace
    expect(at).toBeLessThan(time)
    expect(HEAD.number - found).toBeLessThan(8_000n)
    expect(asked.length).toBeLessThanOrEqual(most)
  })

  test('twice as far back each time from where it should be', async () => {
    const { chain, asked } = chainOf(1)
    await blockBefore(chain, HEAD, HEAD.timestamp - 40)
    // Twenty blocks back it is half as old as it should be.
    expect(asked.map((number) => HEAD.number - number)).toEqual([20n, 21n, 23n, 27n, 35n, 51n])
  })

  test('at a block older than a time at which there is a block', async () => {
    const { chain } = chainOf(2)
    const number = HEAD.number - 1_800n
    expect(await blockBefore(chain, HEAD, HEAD.timestamp - HOUR)).toBe(number - 1n)
  })

  test('at the first block where the chain is younger than the time, asking for none before it', async () => {
    const head = { number: 5n, timestamp: 1_000 } as Block
    const young = (first: number) => {
      const asked: bigint[] = []
      const block = async (number: bigint) => {
        asked.push(number)
        return { number, timestamp: first + Number(number) }
      }
      return { asked, chain: { block } as unknown as ChainReader }
    }
    const all = young(1_000)
    expect(await blockBefore(all.chain, head, 992)).toBe(0n)
    expect(all.asked).toEqual([1n])
    expect(await blockBefore(young(900).chain, head, 992)).toBe(1n)
  })

  test('for a repeat that no row accounts for, minutes before the authorization can have been used, and not at block 0', async () => {
    const { chain, searched, searchedTo } = chainOf(2)
    const authorization = {
      from: `0x${'1'.repeat(40)}`,
      to: `0x${'2'.repeat(40)}`,
      nonce: `0x${'3'.repeat(64)}`,
      value: 1_000n,
      validAfter: 0n,
    } as const
    const ask = (validBefore: number) =>
      mayHavePaidLately(chain, { ...authorization, validBefore: BigInt(validBefore) })
    const [day, most] = [86_400, 420 + 300]
    expect([await ask(HEAD.timestamp - day), await ask(HEAD.timestamp + most)]).toEqual([true, true])
    expect(searched).toHaveLength(2)
    expect(searched[0]).toBeGreaterThanOrEqual(HEAD.number - BigInt(day + 422) / 2n - 2n)
    expect(searched[1]).toBeGreaterThan(HEAD.number - 200n)
    expect(searchedTo).toEqual([HEAD.number, HEAD.number])
    // Longer ago, or for longer than any authorization may be valid: the chain is not asked.
    expect([await ask(HEAD.timestamp - day - 1), await ask(HEAD.timestamp + most + 1)]).toEqual([
      false,
      false,
    ])
    expect(searched).toHaveLength(2)
  })

  test.each([
    [1, 1, true],
    [1, 0, true],
    [0, 0, true],
    [0, 1, false],
  ])('%i payments to us beside %i to others may be a lost sale: %s', async (ours, others, expected) => {
    const { chain } = chainOf(2)
    const place = { transaction: '0x1', logIndex: 0, blockNumber: 1n } as const
    const trace = {
      kind: 'used',
      payments: Array(ours).fill(place),
      elsewhere: Array(others).fill(place),
    } as const
    const authorization = { from: '0x1', to: '0x2', nonce: '0x3', value: 1n, validAfter: 0n } as const
    const asked = { ...authorization, validBefore: BigInt(HEAD.timestamp) }
    expect(await mayHavePaidLately({ ...chain, trace: async () => trace } as never, asked as never)).toBe(
      expected,
    )
  })
})
