import { BaseError, encodeEventTopics, HttpRequestError, type PublicClient, RpcRequestError } from 'viem'
import { authorizationEvent, type TokenLog } from './authorization-logs.ts'
import type { AuthorizationQuery, Hex } from './chain-reader.ts'
import { TOKEN_ABI } from './token-abi.ts'

/** A log and where it was found. */
export interface FoundLog extends TokenLog {
  readonly blockNumber: bigint
  readonly transactionHash: Hex
}

// Some nodes answer for no more than this many blocks to those who do not pay them.
const SMALLEST_WINDOW = 10n

/**
 * The AuthorizationUsed and AuthorizationCanceled logs of one authorization.
 *
 * Searched backwards from the newest block to `fromBlock`, in windows, up to the first one that has any. A node
 * that refuses a window is asked for half of it. Throws what the client throws when the node cannot be asked.
 */
export async function findAuthorizationLogs(
  client: PublicClient,
  token: Hex,
  query: AuthorizationQuery,
  widest: bigint,
): Promise<FoundLog[]> {
  const oldest = query.fromBlock ?? 0n
  let window = widest
  let toBlock = (await client.getBlock({ blockTag: 'latest' })).number
  while (toBlock >= oldest) {
    const fromBlock = toBlock - window + 1n > oldest ? toBlock - window + 1n : oldest
    const found = await logsBetween(client, token, query, fromBlock, toBlock).catch((error: unknown) => {
      if (!isRefusal(error) || window <= SMALLEST_WINDOW) throw error
      return undefined
    })
    if (found === undefined) {
      window /= 2n
    } else {
      if (found.length > 0) return found
      toBlock = fromBlock - 1n
    }
  }
  return []
}

async function logsBetween(
  client: PublicClient,
  token: Hex,
  query: AuthorizationQuery,
  fromBlock: bigint,
  toBlock: bigint,
): Promise<FoundLog[]> {
  const range = { fromBlock: `0x${fromBlock.toString(16)}`, toBlock: `0x${toBlock.toString(16)}` } as const
  const logs = await client.request({
    method: 'eth_getLogs',
    params: [{ address: token, topics: topicsOf(query), ...range }],
  })
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
    .filter((log) => authorizationEvent(log, token, query) !== undefined)
}

function topicsOf({ payer, nonce }: AuthorizationQuery): (Hex | Hex[])[] {
  const args = { authorizer: payer, nonce }
  const used = encodeEventTopics({ abi: TOKEN_ABI, eventName: 'AuthorizationUsed', args }) as Hex[]
  const canceled = encodeEventTopics({ abi: TOKEN_ABI, eventName: 'AuthorizationCanceled', args }) as Hex[]
  return [[used[0] as Hex, canceled[0] as Hex], ...used.slice(1)]
}

/** The node was reached and said no, as it does to a range that is too wide. */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof BaseError)) return false
  const refusal = error.walk(
    (cause) =>
      cause instanceof RpcRequestError ||
      (cause instanceof HttpRequestError && (cause.status === 400 || cause.status === 413)),
  )
  return refusal !== null
}
