/**
 * The world around the measured servers: a facilitator that believes everything, at once (`/fast`) or after 200 ms
 * (`/slow`), and a node of a chain on which nothing happens (`/rpc`) and every payment channel has money.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { domainSeparator, toFunctionSelector } from 'viem'
import { BASE } from '../../src/payments/networks/base.ts'
import { serve } from './tell-port.ts'

const SLOW_MS = 200
const NETWORK = 'eip155:8453'
const SUPPORTED = {
  kinds: ['exact', 'batch-settlement'].map((scheme) => ({ x402Version: 2, scheme, network: NETWORK })),
  extensions: [],
  signers: { 'eip155:*': [] },
}
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
  const transaction = `0x${(++sent.count).toString(16).padStart(64, '0')}`
  return { success: true, payer: payerOf(body), transaction, network: NETWORK }
}

interface RpcCall {
  readonly id: number
  readonly method: string
  readonly params?: readonly unknown[]
}

const BALANCE_OF = toFunctionSelector('balanceOf(address)')
const CHANNELS = toFunctionSelector('channels(bytes32)')

const DOMAIN_SEPARATOR = toFunctionSelector('DOMAIN_SEPARATOR()')
const { chainId, token } = BASE
const TOKEN_DOMAIN = domainSeparator({
  domain: { ...token.domain, chainId, verifyingContract: token.address },
})

/** Two words, which callers that want one take as one: every payer and channel has money, nothing else is. */
function callAnswer(call: unknown): string {
  const data = String((call as { data?: unknown } | undefined)?.data)
  if (data === DOMAIN_SEPARATOR) return TOKEN_DOMAIN
  const isFull = data.startsWith(BALANCE_OF) || data.startsWith(CHANNELS)
  return `0x${(isFull ? MUCH : '').padStart(64, '0')}${data.startsWith(BALANCE_OF) ? '' : '0'.repeat(64)}`
}

const CONTRACTS = ['0x833589fcd6edb6e08f4c7c32d4f71b54bda02913', BASE.contracts.channels.toLowerCase()]

function rpcAnswer({ id, method, params }: RpcCall): unknown {
  const seconds = Math.floor(Date.now() / 1000)
  const number = `0x${Math.floor(seconds / 2).toString(16)}`
  const results: Record<string, unknown> = {
    eth_chainId: '0x2105',
    eth_blockNumber: number,
    // The token and the channels' contract have code; every other address is an ordinary account.
    eth_getCode: CONTRACTS.includes(String(params?.[0]).toLowerCase()) ? '0x6001' : '0x',
    eth_getBlockByNumber: { number, timestamp: `0x${seconds.toString(16)}`, transactions: [] },
    eth_call: callAnswer(params?.[0]),
    eth_getLogs: [],
  }
  return { jsonrpc: '2.0', id, result: results[method] ?? null }
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
