/**
 * The world around the measured servers: a facilitator that believes everything, at once (`/fast`) or after 200 ms
 * (`/slow`), and a node (`/rpc`) of a chain on which every payment channel has money and what was settled is seen, so that
 * the audit of a service finds its sales.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { domainSeparator, encodeEventTopics, type Hex, numberToHex, padHex, toFunctionSelector } from 'viem'
import { BASE } from '../../src/payments/networks/base.ts'
import { TOKEN_ABI } from '../../src/payments/networks/token-abi.ts'
import { serve } from './tell-port.ts'

const SLOW_MS = 200
const NETWORK = 'eip155:8453'
const SUPPORTED = {
  kinds: ['exact', 'batch-settlement'].map((scheme) => ({ x402Version: 2, scheme, network: NETWORK })),
  extensions: [],
  signers: { 'eip155:*': [] },
}
const BLOCK_SECONDS = 2
const sent = { count: 0 }
/** Atomic units, hex. */
const MUCH = 'ffffffffff'
/** What the facilitator says of every channel. */
const CHANNEL_STATE = {
  balance: BigInt(`0x${MUCH}`).toString(),
  totalClaimed: '0',
  withdrawRequestedAt: 0,
  refundNonce: '0',
}

function payerOf(body: string): string {
  return /"(?:from|payer)":"(0x[0-9a-fA-F]{40})"/.exec(body)?.[1] ?? ''
}

function facilitatorAnswer(path: string, body: string): unknown {
  if (path.endsWith('/supported')) return SUPPORTED
  if (path.endsWith('/verify')) return { isValid: true, payer: payerOf(body), extra: CHANNEL_STATE }
  const transaction = numberToHex(++sent.count, { size: 32 })
  if (path.endsWith('/settle')) keepSale(body, transaction)
  return { success: true, payer: payerOf(body), transaction, network: NETWORK }
}

interface Sale {
  readonly payer: Hex
  readonly payee: Hex
  readonly nonce: Hex
  readonly value: bigint
  readonly transaction: Hex
  readonly block: number
}
const byNonce = new Map<string, Sale>()
const byTransaction = new Map<string, Sale>()

const { chainId, token } = BASE
const BLOCK_HASH = padHex('0x1', { size: 32 })
const [USED, TRANSFER] = (['AuthorizationUsed', 'Transfer'] as const).map(
  (eventName) => encodeEventTopics({ abi: TOKEN_ABI, eventName })[0],
) as [Hex, Hex]

const headNumber = () => Math.floor(Date.now() / 1_000 / BLOCK_SECONDS)
const word = (hex: Hex) => padHex(hex, { size: 32 })

function keepSale(body: string, transaction: Hex): void {
  const [, nonce] = /"nonce":"(0x[0-9a-fA-F]{64})"/.exec(body) ?? []
  const [, payee] = /"to":"(0x[0-9a-fA-F]{40})"/.exec(body) ?? []
  const [, value] = /"value":"(\d+)"/.exec(body) ?? []
  // A deposit into a channel or a claim is no sale.
  if (nonce === undefined || payee === undefined || value === undefined) return
  const sale = {
    payer: payerOf(body).toLowerCase() as Hex,
    payee: payee.toLowerCase() as Hex,
    nonce: nonce.toLowerCase() as Hex,
    value: BigInt(value),
    transaction,
    block: headNumber(),
  }
  byNonce.set(sale.nonce, sale)
  byTransaction.set(transaction, sale)
}

function logsOf({ payer, payee, nonce, value, transaction, block }: Sale): readonly object[] {
  const log = (logIndex: Hex, topics: readonly Hex[], data: Hex) => ({
    address: token.address,
    blockNumber: numberToHex(block),
    blockHash: BLOCK_HASH,
    transactionHash: transaction,
    transactionIndex: '0x0',
    removed: false,
    logIndex,
    topics,
    data,
  })
  return [
    log('0x0', [USED, word(payer), nonce], '0x'),
    log('0x1', [TRANSFER, word(payer), word(payee)], numberToHex(value, { size: 32 })),
  ]
}

/** Searches for other things than the use of one authorization find nothing. */
function foundLogs(filter: unknown): readonly object[] {
  const { topics } = filter as { topics: readonly unknown[] }
  const sale = byNonce.get(String(topics[2]))
  return sale === undefined ? [] : logsOf(sale).slice(0, 1)
}

function receiptOf(hash: unknown): object | null {
  const sale = byTransaction.get(String(hash))
  if (sale === undefined) return null
  return {
    status: '0x1',
    transactionHash: hash,
    transactionIndex: '0x0',
    blockHash: BLOCK_HASH,
    blockNumber: numberToHex(sale.block),
    logs: logsOf(sale),
    logsBloom: '0x',
    from: token.address,
    to: token.address,
    contractAddress: null,
    type: '0x2',
    gasUsed: '0x1',
    cumulativeGasUsed: '0x1',
    effectiveGasPrice: '0x1',
  }
}

function blockOf(asked: unknown): object {
  const isNumber = typeof asked === 'string' && asked.startsWith('0x')
  const number = isNumber ? Number(asked) : headNumber()
  return { number: numberToHex(number), timestamp: numberToHex(number * BLOCK_SECONDS), transactions: [] }
}

interface RpcCall {
  readonly id: number
  readonly method: string
  readonly params?: readonly unknown[]
}

const AUTHORIZATION_STATE = toFunctionSelector('authorizationState(address,bytes32)')
const BALANCE_OF = toFunctionSelector('balanceOf(address)')
const CHANNELS = toFunctionSelector('channels(bytes32)')

const DOMAIN_SEPARATOR = toFunctionSelector('DOMAIN_SEPARATOR()')
const TOKEN_DOMAIN = domainSeparator({
  domain: { ...token.domain, chainId, verifyingContract: token.address },
})

/** Two words, which callers that want one take as one: every payer and channel has money, nothing else is. */
function callAnswer(call: unknown): string {
  const data = String((call as { data?: unknown } | undefined)?.data)
  if (data === DOMAIN_SEPARATOR) return TOKEN_DOMAIN
  if (data.startsWith(AUTHORIZATION_STATE))
    return numberToHex(byNonce.has(`0x${data.slice(-64)}`) ? 1 : 0, { size: 32 })
  const isFull = data.startsWith(BALANCE_OF) || data.startsWith(CHANNELS)
  return `0x${(isFull ? MUCH : '').padStart(64, '0')}${data.startsWith(BALANCE_OF) ? '' : '0'.repeat(64)}`
}

const CONTRACTS = ['0x833589fcd6edb6e08f4c7c32d4f71b54bda02913', BASE.contracts.channels.toLowerCase()]

/** By the first parameter. */
const RESULTS: Readonly<Record<string, (first: unknown) => unknown>> = {
  eth_chainId: () => '0x2105',
  eth_blockNumber: () => numberToHex(headNumber()),
  // The token and the channels' contract have code; every other address is an ordinary account.
  eth_getCode: (address) => (CONTRACTS.includes(String(address).toLowerCase()) ? '0x6001' : '0x'),
  eth_getBlockByNumber: blockOf,
  eth_call: callAnswer,
  eth_getLogs: foundLogs,
  eth_getTransactionReceipt: receiptOf,
}

function rpcAnswer({ id, method, params }: RpcCall): unknown {
  const [first] = params ?? []
  return { jsonrpc: '2.0', id, result: RESULTS[method]?.(first) ?? null }
}

function answer(res: ServerResponse, content: unknown): void {
  const body = JSON.stringify(content)
  res.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) })
  res.end(body)
}

serve((req: IncomingMessage, res: ServerResponse) => {
  const chunks: Buffer[] = []
  const path = req.url ?? ''
  req.on('data', (chunk: Buffer) => chunks.push(chunk))
  req.on('end', () => {
    const body = Buffer.concat(chunks).toString()
    if (path === '/rpc') {
      const asked = JSON.parse(body) as RpcCall | RpcCall[]
      answer(res, Array.isArray(asked) ? asked.map(rpcAnswer) : rpcAnswer(asked))
    } else if (path.startsWith('/slow') && !path.endsWith('/supported')) {
      setTimeout(() => answer(res, facilitatorAnswer(path, body)), SLOW_MS)
    } else answer(res, facilitatorAnswer(path, body))
  })
})
