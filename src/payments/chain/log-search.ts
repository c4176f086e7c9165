import {
  BaseError,
  encodeEventTopics,
  type Hex,
  HttpRequestError,
  type PublicClient,
  RpcRequestError,
} from 'viem'
import { OutboundFault } from '../../outbound/send-request.ts'
import { TOKEN_ABI } from '../networks/token-abi.ts'
import { authorizationEvent, type TokenLog } from './authorization-logs.ts'
import type { AuthorizationQuery, IncomingTransfer, TransferWindow } from './chain-reader.ts'

export interface FoundLog extends TokenLog {
  readonly blockNumber: bigint
  readonly transactionHash: Hex
}

interface BlockRange {
  readonly fromBlock: bigint
  readonly toBlock: bigint
}

/** Nodes limit the number of logs too, and anyone can put many transfers to the payee into a few blocks. */
const SMALLEST_WINDOW = 1n
/** Every known node searches this many blocks; one that refuses them found too many logs in a block. */
const LEAST_LIMIT = 10n
/** Digits of an address at the end of a topic. */
const ADDRESS_DIGITS = 40
/** Authorizers in one search: nodes limit the topics of a filter. */
const MOST_AUTHORIZERS = 100

/** Rethrows the client's errors. */
export async function findAuthorizationLogs(
  client: PublicClient,
  token: Hex,
  query: AuthorizationQuery,
  widest: bigint,
): Promise<FoundLog[]> {
  const { number: head } = await client.getBlock({ blockTag: 'latest' })
  const { fromBlock = 0n, toBlock = head } = query
  const range = { fromBlock, toBlock: toBlock < head ? toBlock : head }
  const topics = authorizationTopics(query)
  for await (const logs of searchBack(range, widest, (each) => tokenLogs(client, token, topics, each))) {
    const found = logs.filter((log) => authorizationEvent(log, token, query) !== undefined)
    if (found.length > 0) return found
  }
  return []
}

/** Halves a range that the node refuses. Rethrows the client's errors. */
export async function findTransfersTo(
  client: PublicClient,
  token: Hex,
  payee: Hex,
  { fromBlock, toBlock: last }: BlockRange,
  widest: bigint,
): Promise<TransferWindow> {
  const most = fromBlock + widest - 1n
  for (let toBlock = last < most ? last : most; ; toBlock = fromBlock + (toBlock - fromBlock) / 2n) {
    try {
      return { transfers: await transfersWithin(client, token, payee, { fromBlock, toBlock }), toBlock }
    } catch (error) {
      if (!isRefusal(error) || toBlock <= fromBlock) throw error
    }
  }
}

/**
 * Yields what is found in windows of blocks, from the newest back. A window that the node refuses is halved; past a block
 * with too many logs it grows again.
 */
async function* searchBack<T>(
  { fromBlock: oldest, toBlock: newest }: BlockRange,
  widest: bigint,
  search: (range: BlockRange) => Promise<T[]>,
): AsyncGenerator<T[]> {
  let window = widest
  for (let toBlock = newest; toBlock >= oldest; ) {
    const fromBlock = toBlock - window + 1n > oldest ? toBlock - window + 1n : oldest
    const found = await search({ fromBlock, toBlock }).catch((error: unknown) => {
      if (!isRefusal(error) || window <= SMALLEST_WINDOW) throw error
      return null
    })
    if (found === null) window /= 2n
    else {
      yield found
      toBlock = fromBlock - 1n
      window = widened(window, widest)
    }
  }
}

async function transfersWithin(
  client: PublicClient,
  token: Hex,
  payee: Hex,
  range: BlockRange,
): Promise<IncomingTransfer[]> {
  const topics = encodeEventTopics({ abi: TOKEN_ABI, eventName: 'Transfer', args: { to: payee } })
  const transfers = await tokenLogs(client, token, topics as (Hex | null)[], range)
  const payers = [...new Set(transfers.map((log) => log.topics[1] as Hex))]
  const nonces = new Map<string, Hex>()
  for (let start = 0; start < payers.length; start += MOST_AUTHORIZERS) {
    const [used] = encodeEventTopics({ abi: TOKEN_ABI, eventName: 'AuthorizationUsed' }) as [Hex]
    const authorizers = payers.slice(start, start + MOST_AUTHORIZERS)
    for (const log of await tokenLogs(client, token, [used, authorizers], range))
      nonces.set(`${log.transactionHash}/${log.logIndex + 1}`, log.topics[2] as Hex)
  }
  const [event, , to] = topics
  return transfers
    .filter(({ address, topics: found }) => {
      const isSame = (one: Hex | undefined, other: unknown) => one?.toLowerCase() === other
      return isSame(address, token.toLowerCase()) && isSame(found[0], event) && isSame(found[2], to)
    })
    .map((log) => toIncomingTransfer(log, nonces))
}

/** Read by place: the general decoder takes thirty times as long, and there are two logs for each sale. */
function toIncomingTransfer(
  { transactionHash: transaction, logIndex, blockNumber, topics, data }: FoundLog,
  nonces: ReadonlyMap<string, Hex>,
): IncomingTransfer {
  const nonce = nonces.get(`${transaction}/${logIndex}`)?.toLowerCase() as Hex | undefined
  return {
    transaction,
    logIndex: nonce === undefined ? logIndex : logIndex - 1,
    blockNumber,
    from: `0x${topics[1]?.slice(-ADDRESS_DIGITS).toLowerCase()}`,
    amount: BigInt(data),
    nonce: nonce ?? null,
  }
}

async function tokenLogs(
  client: PublicClient,
  token: Hex,
  topics: (Hex | Hex[] | null)[],
  { fromBlock, toBlock }: BlockRange,
): Promise<FoundLog[]> {
  const range = { fromBlock: `0x${fromBlock.toString(16)}`, toBlock: `0x${toBlock.toString(16)}` } as const
  const logs = await client.request({ method: 'eth_getLogs', params: [{ address: token, topics, ...range }] })
  return logs
    .filter((log) => log.removed !== true)
    .map((log) => ({
      address: log.address,
      topics: log.topics,
      data: log.data,
      logIndex: Number(log.logIndex),
      blockNumber: BigInt(log.blockNumber as Hex),
      transactionHash: log.transactionHash as Hex,
    }))
}

function authorizationTopics({ payer, nonce }: AuthorizationQuery): (Hex | Hex[])[] {
  const args = { authorizer: payer, nonce }
  const used = encodeEventTopics({ abi: TOKEN_ABI, eventName: 'AuthorizationUsed', args }) as Hex[]
  const canceled = encodeEventTopics({ abi: TOKEN_ABI, eventName: 'AuthorizationCanceled', args }) as Hex[]
  return [[used[0] as Hex, canceled[0] as Hex], ...used.slice(1)]
}

function widened(window: bigint, widest: bigint): bigint {
  const most = widest < LEAST_LIMIT ? widest : LEAST_LIMIT
  if (window >= most) return window
  return window * 2n < most ? window * 2n : most
}

/** Nodes answer like this if a range is too wide; one without a limit sends more than is read. */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof BaseError)) return false
  const refusal = error.walk(
    (cause) =>
      cause instanceof RpcRequestError ||
      (cause instanceof HttpRequestError && (cause.status === 400 || cause.status === 413)) ||
      (cause instanceof OutboundFault && cause.code === 'too_large'),
  )
  return refusal !== null
}
