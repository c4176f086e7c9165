/** Cloudflare's `agents/x402` pays, through the newest and through older clients. */
import assert from 'node:assert/strict'
import { LIST_ITEMS } from '../orders.ts'
import { assertPaid, assertPaidList } from '../paid-result.ts'
import type { Target, Trial } from '../target.ts'

// Named in variables because this folder's packages are not there when the product is type-checked.
const AGENTS = 'agents/x402'
const CLIENT = '@modelcontextprotocol/client'
const SDK = '@modelcontextprotocol/sdk/client'

const MODERN_REVISION = '2026-07-28'

async function newestClient(url: string) {
  const { Client, StreamableHTTPClientTransport } = await import(CLIENT)
  const client = new Client({ name: 'agents', version: '1' }, { versionNegotiation: { mode: 'auto' } })
  await client.connect(new StreamableHTTPClientTransport(new URL(url)))
  assert.equal(client.getNegotiatedProtocolVersion(), MODERN_REVISION)
  return client
}

async function olderClient(url: string) {
  const { Client, StreamableHTTPClientTransport } = await import(CLIENT)
  const client = new Client({ name: 'agents', version: '1' })
  await client.connect(new StreamableHTTPClientTransport(new URL(url)))
  assert.notEqual(client.getNegotiatedProtocolVersion(), MODERN_REVISION)
  return client
}

async function firstGenerationClient(url: string) {
  const { Client } = await import(`${SDK}/index.js`)
  const { StreamableHTTPClientTransport } = await import(`${SDK}/streamableHttp.js`)
  const client = new Client({ name: 'agents', version: '1' })
  await client.connect(new StreamableHTTPClientTransport(new URL(url)))
  return client
}

// biome-ignore lint/suspicious/noExplicitAny: three generations of clients share no type
async function payThrough(plain: any, { privateKey }: Target): Promise<void> {
  const { withX402Client } = await import(AGENTS)
  const { privateKeyToAccount } = await import('viem/accounts')
  const prices: string[] = []
  const client = withX402Client(plain, {
    account: privateKeyToAccount(privateKey),
    network: 'eip155:8453',
    confirmationCallback: async (accepts: { amount: string }[]) => {
      prices.push(accepts[0]?.amount ?? '')
      return true
    },
  })
  const { tools } = await client.listTools()
  assert.equal(tools.length, 7)
  assert.match(tools[0].description, /you will be charged \$0\.001 /)
  const iban = { name: 'validate_iban', arguments: { value: 'PL61109010140000071219812874' } }
  assertPaid(await client.callTool(null, iban), 'iban')
  const email = { name: 'validate_email', arguments: { value: 'someone@example.com' } }
  assertPaid(await client.callTool(null, email), 'email')
  const list = { name: 'validate_batch', arguments: { items: LIST_ITEMS } }
  assertPaidList(await client.callTool(null, list))
  assert.deepEqual(prices, ['1000', '1000', '100000'])
  await plain.close()
}

export const agentsTrials: readonly Trial[] = [
  {
    name: 'agents 0.32.0 pays for checks and a list of 100 over 2026-07-28',
    run: async (target) => payThrough(await newestClient(target.url), target),
  },
  {
    name: 'agents 0.32.0 pays for checks and a list of 100 over 2025-11-25',
    run: async (target) => payThrough(await olderClient(target.url), target),
  },
  {
    name: 'agents 0.32.0 pays for checks and a list of 100 through MCP SDK 1.32.2',
    run: async (target) => payThrough(await firstGenerationClient(target.url), target),
  },
]
