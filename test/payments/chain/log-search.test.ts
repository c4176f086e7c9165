/** How logs are searched for over a scripted node: every block once, in ranges that the node accepts. */
import {
  encodeEventTopics,
  type Hex,
  HttpRequestError,
  type PublicClient,
  pad,
  RpcRequestError,
  toHex,
} from 'viem'
import { describe, expect, test } from 'vitest'
import { OutboundFault } from '../../../src/outbound/send-request.ts'
import type { IncomingTransfer } from '../../../src/payments/chain/chain-reader.ts'
import { findAuthorizationLogs, findTransfersTo } from '../../../src/payments/chain/log-search.ts'
import { TOKEN_ABI } from '../../../src/payments/networks/token-abi.ts'
import { AMOUNT, logsOf, nonceOf, payerOf, CALLED_TOKEN as TOKEN } from '../../support/settlement-calls.ts'

const PAYEE = payerOf(99)
const URL = 'http://node.invalid'
const TOO_WIDE = new RpcRequestError({ body: {}, url: URL, error: { code: -32602, message: 'too wide' } })
const TOO_LARGE = new HttpRequestError({
  url: URL,
  cause: new OutboundFault('too_large', 'the reply is too large'),
})

interface Filter {
  readonly address: Hex
  readonly topics: readonly (Hex | readonly Hex[] | null)[]
  readonly fromBlock: Hex
  readonly toBlock: Hex
}
type Range = readonly [from: number, to: number]
type Log = ReturnType<typeof logsOf>[number] & { readonly block: number; readonly removed?: boolean }

/** The logs of a payer's settlement in a block, in a transaction with the payer's number. */
const settledIn = (block: number, payer: number, logIndex = 0): Log[] =>
  logsOf(payer, logIndex).map((log) => ({ ...log, block, transactionHash: nonceOf(payer) }))

/** A node with these logs, whose newest block is 100 unless another is given. */
function nodeWith(
  logs: readonly Log[],
  { head = 100n, refuses = (_range: Range): Error | undefined => undefined, heedsFilters = true } = {},
) {
  const [accepted, filters] = [[] as Range[], [] as Filter[]]
  const isAsked = (log: Log, { address, topics }: Filter) =>
    log.address === address &&
    topics.every((topic, at) => topic === null || [topic].flat().includes(log.topics[at] as Hex))
  const client = {
    getBlock: async ({ blockTag }: { blockTag: string }) => ({ number: blockTag === 'latest' ? head : 0n }),
    request: async ({ method, params: [filter] }: { method: string; params: [Filter] }) => {
      expect(method).toBe('eth_getLogs')
      const range = [Number(filter.fromBlock), Number(filter.toBlock)] as const
      const refusal = refuses(range)
      if (refusal !== undefined) throw refusal
      accepted.push(range)
      filters.push(filter)
      return logs
        .filter(({ block }) => block >= range[0] && block <= range[1])
        .filter((log) => !heedsFilters || isAsked(log, filter))
        .map(({ block, logIndex, ...log }) => ({
          ...log,
          logIndex: toHex(logIndex),
          blockNumber: toHex(block),
        }))
    },
  }
  return { client: client as unknown as PublicClient, accepted, filters }
}

const query = (payer: number, fromBlock?: bigint, toBlock?: bigint) => ({
  ...{ payer: payerOf(payer), nonce: nonceOf(payer), payTo: PAYEE, amount: AMOUNT },
  ...(fromBlock === undefined ? {} : { fromBlock }),
  ...(toBlock === undefined ? {} : { toBlock }),
})
const blocksOf = (ranges: readonly Range[]) =>
  ranges.flatMap(([from, to]) => Array.from({ length: to - from + 1 }, (_, index) => from + index))
const widthsOf = (ranges: readonly Range[]) => ranges.map(([from, to]) => to - from + 1)
/** All ranges but the last, which may be narrower, are as wide as they may be. */
function expectWidest(accepted: readonly Range[], widest: bigint): void {
  expect(
    widthsOf(accepted)
      .slice(0, -1)
      .every((width) => BigInt(width) === widest),
  ).toBe(true)
  expect(widthsOf(accepted).every((width) => BigInt(width) <= widest)).toBe(true)
}
const upTo = (count: number, first = 0) => Array.from({ length: count }, (_, index) => first + index)
/** Refuses ranges of more than one block that hold this one: more logs are in it than the node returns. */
const fullAt =
  (block: number) =>
  ([from, to]: Range) =>
    from < to && from <= block && block <= to ? TOO_WIDE : undefined

describe('the search for an authorization', () => {
  test.each([
    1n,
    2n,
    3n,
    7n,
    50n,
  ])('looks at every block once, from the newest on, %d at a time', async (widest) => {
    for (const [head, oldest] of [[0n], [1n], [6n], [7n], [13n], [13n, 5n], [13n, 13n]] as const) {
      const { client, accepted } = nodeWith([], { head })
      expect(await findAuthorizationLogs(client, TOKEN, query(1, oldest), widest)).toEqual([])
      const first = Number(oldest ?? 0n)
      const all = upTo(Number(head) - first + 1, first)
      expect(blocksOf(accepted).toSorted((a, b) => a - b)).toEqual(all)
      expect(accepted.map(([, to]) => to)).toEqual(accepted.map(([, to]) => to).toSorted((a, b) => b - a))
      expectWidest(accepted, widest)
    }
  })

  test('looks at none before the oldest that is asked for', async () => {
    const { client, accepted } = nodeWith([], { head: 4n })
    expect(await findAuthorizationLogs(client, TOKEN, query(1, 5n), 3n)).toEqual([])
    expect(accepted).toEqual([])
  })

  test('looks at none behind the newest that is asked for, however far the head that the node names', async () => {
    for (const [head, newest] of [
      [2n ** 60n, 8],
      [9n, 8],
      [8n, 8],
      [7n, 7],
    ] as const) {
      const { client, accepted } = nodeWith([], { head })
      expect(await findAuthorizationLogs(client, TOKEN, query(1, 5n, 8n), 3n)).toEqual([])
      expect(blocksOf(accepted).toSorted((a, b) => a - b)).toEqual(upTo(newest - 4, 5))
    }
  })

  test('ends with the newest range that holds one of it, and takes no other log from a careless node', async () => {
    const logs = [...settledIn(3, 1), ...settledIn(8, 1), ...settledIn(8, 2, 2), ...settledIn(9, 3)]
    for (const heedsFilters of [true, false]) {
      const { client, accepted } = nodeWith(logs, { head: 10n, heedsFilters })
      const found = await findAuthorizationLogs(client, TOKEN, query(1), 2n)
      const [used] = logsOf(1, 0)
      const { topics, data } = used as Log
      expect(found).toEqual([
        ...[{ address: TOKEN, topics, data, logIndex: 0, blockNumber: 8n, transactionHash: nonceOf(1) }],
      ])
      expect(accepted).toEqual([
        [9, 10],
        [7, 8],
      ])
    }
  })

  test('finds a cancellation as well as a use', async () => {
    const args = { authorizer: payerOf(1), nonce: nonceOf(1) }
    const topics = encodeEventTopics({ abi: TOKEN_ABI, eventName: 'AuthorizationCanceled', args }) as Hex[]
    const [used] = settledIn(5, 1)
    const { client } = nodeWith([{ ...(used as Log), topics }])
    expect(await findAuthorizationLogs(client, TOKEN, query(1), 200n)).toMatchObject([{ topics }])
  })

  test('believes no log that a reorganisation took back', async () => {
    const { client } = nodeWith(settledIn(5, 1).map((log) => ({ ...log, removed: true })))
    expect(await findAuthorizationLogs(client, TOKEN, query(1), 200n)).toEqual([])
  })

  test('halves a range that is refused, and past a full block doubles it to what every node accepts', async () => {
    const { client, accepted } = nodeWith([], { refuses: fullAt(80) })
    await findAuthorizationLogs(client, TOKEN, query(1), 50n)
    expect(widthsOf(accepted)).toEqual([12, 6, 2, 1, 2, 4, 8, 10, 10, 10, 10, 10, 10, 6])
    expect(blocksOf(accepted).toSorted((a, b) => a - b)).toEqual(upTo(101))
  })

  test('never doubles it beyond the widest', async () => {
    const { client, accepted } = nodeWith([], { head: 12n, refuses: fullAt(12) })
    await findAuthorizationLogs(client, TOKEN, query(1), 5n)
    expect(widthsOf(accepted)).toEqual([1, 2, 4, 5, 1])
  })

  test('goes on as wide as was accepted where that is more than any node must accept', async () => {
    const { client, accepted } = nodeWith([], {
      refuses: ([from, to]) => (to - from < 15 ? undefined : TOO_WIDE),
    })
    await findAuthorizationLogs(client, TOKEN, query(1), 60n)
    expect(new Set(widthsOf(accepted).slice(0, -1))).toEqual(new Set([15]))
  })
})

describe('a search that fails', () => {
  const http = (status: number) => new HttpRequestError({ url: URL, status, body: {} })

  test.each<[string, Error]>([
    ['an error of JSON-RPC', TOO_WIDE],
    ['status 400', http(400)],
    ['status 413', http(413)],
  ])('with %s is tried again in narrower ranges', async (_what, error) => {
    const node = nodeWith(settledIn(60, 1), {
      refuses: ([from, to]) => (to - from < 10 ? undefined : error),
    })
    expect(await findAuthorizationLogs(node.client, TOKEN, query(1), 50n)).toHaveLength(1)
    const range = { fromBlock: 0n, toBlock: 100n }
    const { transfers, toBlock } = await findTransfersTo(
      node.client,
      TOKEN,
      PAYEE,
      { ...range, fromBlock: 60n },
      50n,
    )
    expect([transfers.length, toBlock]).toEqual([1, 65n])
  })

  test.each<[string, Error]>([
    ...[399, 401, 403, 412, 414, 429, 500].map((status): [string, Error] => [
      `status ${status}`,
      http(status),
    ]),
    ['an error that is not the client’s', new TypeError('not a function')],
  ])('with %s is not', async (_what, error) => {
    const asked: Range[] = []
    const { client } = nodeWith([], {
      refuses: (range) => {
        asked.push(range)
        return error
      },
    })
    await expect(findAuthorizationLogs(client, TOKEN, query(1), 50n)).rejects.toBe(error)
    expect(asked).toHaveLength(1)
  })

  test('in a single block ends with the error of the node', async () => {
    let last: Range | undefined
    const { client } = nodeWith([], {
      refuses: (range) => {
        last = range
        return TOO_WIDE
      },
    })
    const endsAt = async (search: Promise<unknown>, block: number) => {
      await expect(search).rejects.toBe(TOO_WIDE)
      expect(last).toEqual([block, block])
    }
    await endsAt(findAuthorizationLogs(client, TOKEN, query(1), 50n), 100)
    await endsAt(findTransfersTo(client, TOKEN, PAYEE, { fromBlock: 0n, toBlock: 9n }, 50n), 0)
  })
})

describe('the search for transfers', () => {
  const search = async (node: ReturnType<typeof nodeWith>, from: number, to: number, widest = 50n) => {
    const found: IncomingTransfer[] = []
    for (let fromBlock = BigInt(from); fromBlock <= BigInt(to); ) {
      const range = { fromBlock, toBlock: BigInt(to) }
      const { transfers, toBlock } = await findTransfersTo(node.client, TOKEN, PAYEE, range, widest)
      found.push(...transfers)
      fromBlock = toBlock + 1n
    }
    return found
  }

  test.each([1n, 2n, 3n, 7n, 50n])('looks at every block once, %d at a time', async (widest) => {
    for (const [from, to] of [
      [0, 0],
      [3, 3],
      [3, 4],
      [3, 9],
      [3, 10],
      [3, 16],
    ] as const) {
      const node = nodeWith([])
      await search(node, from, to, widest)
      const { accepted } = node
      expect(blocksOf(accepted)).toEqual(upTo(to - from + 1, from))
      expectWidest(accepted, widest)
    }
  })

  test.each([
    ['refused', TOO_WIDE],
    ['answered with more than is read', TOO_LARGE],
  ])('halves a range that is %s, and says how far it got', async (_what, error) => {
    const node = nodeWith([], { refuses: (range) => (fullAt(20)(range) === undefined ? undefined : error) })
    const range = { fromBlock: 0n, toBlock: 60n }
    const { toBlock } = await findTransfersTo(node.client, TOKEN, PAYEE, range, 50n)
    expect(toBlock).toBe(12n)
    expect(node.accepted).toEqual([[0, 12]])
  })

  test('in order, gives each transfer the nonce of the use right before it in its transaction, and none to others', async () => {
    const nonce = `0x${'AB'.repeat(32)}` as const
    const [used, moved] = settledIn(4, 1, 6) as [Log, Log]
    const alone = { ...(settledIn(5, 2, 3)[1] as Log), logIndex: 9 }
    const farther = settledIn(6, 3, 1).map((log, index) => ({ ...log, logIndex: 1 + index * 2 }))
    const other = settledIn(7, 4).map((log, index) => ({ ...log, transactionHash: nonceOf(40 + index) }))
    const node = nodeWith([
      ...[{ ...used, topics: [used.topics[0] as Hex, used.topics[1] as Hex, nonce] }, moved],
      ...[alone, ...farther, ...other],
    ])
    const place = (payer: number, blockNumber: bigint, logIndex: number) => ({
      ...{ transaction: nonceOf(payer), from: payerOf(payer), amount: AMOUNT, blockNumber, logIndex },
    })
    for (const widest of [50n, 1n])
      expect(await search(node, 0, 9, widest)).toEqual([
        { ...place(1, 4n, 6), nonce: nonce.toLowerCase() },
        { ...place(2, 5n, 9), nonce: null },
        { ...place(3, 6n, 3), nonce: null },
        { ...place(4, 7n, 1), transaction: nonceOf(41), nonce: null },
      ])
  })

  test('takes no transfer of another token or to another account, even from a careless node', async () => {
    const [used, moved] = settledIn(4, 1) as [Log, Log]
    const args = { from: payerOf(1), to: payerOf(98) }
    const elsewhere = encodeEventTopics({ abi: TOKEN_ABI, eventName: 'Transfer', args }) as Hex[]
    const node = nodeWith([used, { ...moved, address: payerOf(71) }, { ...moved, topics: elsewhere }])
    expect(await search(node, 0, 9)).toEqual([])
    expect(await search(nodeWith([used], { heedsFilters: false }), 0, 9)).toEqual([])
  })

  test('asks for the uses of no more than a hundred payers at once, and of each payer once', async () => {
    const payers = upTo(101, 200)
    const node = nodeWith([...payers, 200].flatMap((payer, index) => settledIn(4, payer, index * 2)))
    const found = await search(node, 0, 9)
    expect(found).toHaveLength(102)
    expect(found.slice(0, 101).map(({ nonce }) => nonce)).toEqual(payers.map(nonceOf))
    const authorizers = node.filters.map(({ topics }) => topics[1]).filter((topic) => Array.isArray(topic))
    expect(authorizers.map((each) => each.length)).toEqual([100, 1])
    expect(authorizers.flat()).toEqual(payers.map((payer) => pad(payerOf(payer))))
    expect((await search(nodeWith(settledIn(4, 1)), 0, 9)).length).toBe(1)
  })
})
