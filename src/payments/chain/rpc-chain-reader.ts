import {
  BaseError,
  ExecutionRevertedError,
  type Hex,
  isHex,
  type PublicClient,
  type TransactionReceipt,
  TransactionReceiptNotFoundError,
} from 'viem'
import { TOKEN_ABI } from '../networks/token-abi.ts'
import { authorizationEvent, isPaid } from './authorization-logs.ts'
import {
  type AuthorizationQuery,
  type AuthorizationTrace,
  askNode,
  type Block,
  type LogPlace,
} from './chain-reader.ts'
import { type FoundLog, findAuthorizationLogs, findTransfersTo } from './log-search.ts'
import { nodeClient } from './node-transport.ts'
import type { NodeReader } from './verified-reader.ts'

export interface RpcChainReaderOptions {
  readonly rpcUrl: string
  readonly token: Hex
  readonly timeoutMs?: number
  /** Blocks in one log search; fewer if the node refuses. */
  readonly logWindow?: bigint
}

const LOG_WINDOW = 2_000n
/** Selector of `DOMAIN_SEPARATOR()`; the token has no `eip712Domain()`. */
const DOMAIN_SEPARATOR = '0x3644e515'
const TIMEOUT_MS = 5_000

export function createRpcChainReader(options: RpcChainReaderOptions): NodeReader {
  const { rpcUrl, token, timeoutMs = TIMEOUT_MS, logWindow = LOG_WINDOW } = options
  const client = nodeClient({ rpcUrls: [rpcUrl], timeoutMs, retryCount: 1 })

  const block = (number?: bigint) =>
    askNode(async () => {
      const found = await client.getBlock(
        number === undefined ? { blockTag: 'latest' } : { blockNumber: number },
      )
      return asBlock(found.number, found.timestamp)
    })

  const authorizationUsed = (payer: Hex, nonce: Hex, atBlock?: bigint) =>
    askNode(() =>
      client.readContract({
        address: token,
        abi: TOKEN_ABI,
        functionName: 'authorizationState',
        args: [payer, nonce],
        ...(atBlock === undefined ? {} : { blockNumber: atBlock }),
      }),
    )

  return {
    head: () => block(),
    block,
    hasCode: (address) => askNode(async () => (await readCode(client, address)) !== '0x'),
    balance: (payer) =>
      askNode(() =>
        client.readContract({ address: token, abi: TOKEN_ABI, functionName: 'balanceOf', args: [payer] }),
      ),
    authorizationUsed,
    chainId: () => askNode(() => client.getChainId()),
    domainSeparator: () => askNode(() => readDomain(client, token)),
    trace: async (query) => {
      const named = await askNode(() => paymentIn(client, token, query))
      if (named !== null) return { kind: 'used', payments: [named], elsewhere: [] }
      if (!(await authorizationUsed(query.payer, query.nonce))) return { kind: 'unused' }
      return askNode(() => traceUsed(client, token, query, logWindow))
    },
    transfersTo: (payee, fromBlock, toBlock) =>
      askNode(() => findTransfersTo(client, token, payee, { fromBlock, toBlock }, logWindow)),
  }
}

/** The payment in the transaction that the query names; null if it is not there. */
async function paymentIn(
  client: PublicClient,
  token: Hex,
  query: AuthorizationQuery,
): Promise<LogPlace | null> {
  const { transaction = null } = query
  if (transaction === null) return null
  const receipt = await client.getTransactionReceipt({ hash: transaction }).catch((error: unknown) => {
    if (error instanceof TransactionReceiptNotFoundError) return null
    throw error
  })
  if (receipt === null || receipt.transactionHash !== transaction) return null
  const used = useIn(receipt, token, query)
  if (used === undefined || !isPaid(used, receipt.logs, token, query)) return null
  return { transaction, logIndex: used.logIndex, blockNumber: receipt.blockNumber }
}

/** The log of the authorization's use; undefined if the transaction failed or did not use it. */
const useIn = ({ status, logs }: TransactionReceipt, token: Hex, query: AuthorizationQuery) =>
  status === 'success' ? logs.find((log) => authorizationEvent(log, token, query) === 'used') : undefined

async function traceUsed(
  client: PublicClient,
  token: Hex,
  query: AuthorizationQuery,
  window: bigint,
): Promise<AuthorizationTrace> {
  const logs = await findAuthorizationLogs(client, token, query, window)
  if (logs.some((log) => authorizationEvent(log, token, query) === 'canceled')) return { kind: 'canceled' }
  const payments: LogPlace[] = []
  const elsewhere: LogPlace[] = []
  for (const log of logs) {
    const { transactionHash: transaction, logIndex, blockNumber } = log
    const list = (await paysUs(client, log, token, query)) ? payments : elsewhere
    list.push({ transaction, logIndex, blockNumber })
  }
  return { kind: 'used', payments, elsewhere }
}

async function paysUs(
  client: PublicClient,
  log: FoundLog,
  token: Hex,
  query: AuthorizationQuery,
): Promise<boolean> {
  const receipt = await client.getTransactionReceipt({ hash: log.transactionHash })
  // The log was found by a search: a node whose receipt lacks it contradicts itself.
  if (useIn(receipt, token, query)?.logIndex !== log.logIndex)
    throw new Error('the node answered with a receipt that lacks its own log')
  return isPaid(log, receipt.logs, token, query)
}

async function readCode(client: PublicClient, address: Hex): Promise<Hex> {
  const code: unknown = await client.request({ method: 'eth_getCode', params: [address, 'latest'] })
  if (!isHex(code)) throw new Error('the node answered with something that is not code')
  return code
}

async function readDomain(client: PublicClient, token: Hex): Promise<Hex> {
  try {
    return (await client.call({ to: token, data: DOMAIN_SEPARATOR })).data ?? '0x'
  } catch (error) {
    if (error instanceof BaseError && error.walk((each) => each instanceof ExecutionRevertedError) !== null)
      return '0x'
    throw error
  }
}

function asBlock(number: bigint | null, timestamp: bigint): Block {
  const seconds = Number(timestamp)
  if (number === null || !Number.isSafeInteger(seconds))
    throw new Error('the node answered with an incomplete block')
  return { number, timestamp: seconds }
}
