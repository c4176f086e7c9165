/** Purchases as the SDKs make them, each with a connection of its own and all that it asks before it pays. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { x402Client } from '@x402/core/client'
import type { PaymentRequired } from '@x402/core/types'
import { registerExactEvmScheme } from '@x402/evm/exact/client'
import { wrapFetchWithPayment } from '@x402/fetch'
import { privateKeyToAccount } from 'viem/accounts'
import { expect } from 'vitest'
import { payFor, post, VALUE } from '../../conformance/doors/exchange.ts'
import type { Target } from '../../conformance/target.ts'
import {
  buyInBand03,
  buyInBand10,
  client03,
  client10,
  message03,
  message10,
  request10,
} from '../a2a/sdk-clients.ts'

const DATA = { skill: 'iban', input: { value: VALUE } }

/** Fetches as the target's client. */
const fetchOf =
  ({ fields }: Target): typeof fetch =>
  (input, init) => {
    const request = new Request(input, init)
    for (const [name, value] of Object.entries(fields ?? {})) request.headers.set(name, value)
    return fetch(request)
  }

function payingFetch(target: Target): typeof fetch {
  const wallet = new x402Client()
  registerExactEvmScheme(wallet, { signer: privateKeyToAccount(target.privateKey) })
  return wrapFetchWithPayment(fetchOf(target), wallet)
}

const signerOf = (target: Target) => (required: PaymentRequired) => payFor(target, required)

/** `mode` of the SDK: which era of the protocol it speaks, or that it asks the server first. */
const overMcp = (mode: 'legacy' | 'auto' | { pin: string }) => async (target: Target) => {
  const client = new Client({ name: 'buyer', version: '1' }, { versionNegotiation: { mode } })
  await client.connect(new StreamableHTTPClientTransport(new URL(target.url), { fetch: fetchOf(target) }))
  await client.ping().catch(() => {})
  await client.listTools()
  const call = { name: 'validate_iban', arguments: { value: VALUE } }
  const unpaid = await client.callTool(call)
  const payment = await payFor(target, unpaid.structuredContent as unknown as PaymentRequired)
  const paid = await client.callTool({ ...call, _meta: { 'x402/payment': payment } })
  expect(paid.structuredContent).toMatchObject({ type: 'iban', valid: true })
  await client.close()
}

export const SDK_BUYERS: Readonly<Record<string, (target: Target) => Promise<void>>> = {
  'REST, @x402/fetch': async (target) => {
    const init = {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ value: VALUE }),
    }
    const answer = await payingFetch(target)(`${target.origin}/api/validate/iban`, init)
    expect(await answer.json()).toMatchObject({ type: 'iban', valid: true })
  },
  'REST, @x402/core': async (target) => {
    const ask = await post(target, '/api/validate/iban', { value: VALUE })
    const payment = await payFor(target, ask.json)
    const header = Buffer.from(JSON.stringify(payment)).toString('base64')
    const answer = await post(target, '/api/validate/iban', { value: VALUE }, { 'PAYMENT-SIGNATURE': header })
    expect(answer.status).toBe(200)
  },
  'REST, @x402/fetch after the listing': async (target) => {
    const get = fetchOf(target)
    for (const path of ['/api/types', '/openapi.json', '/healthz'])
      expect((await get(`${target.origin}${path}`)).status).toBe(200)
    await SDK_BUYERS['REST, @x402/fetch']?.(target)
  },
  'A2A 1.0 in band': async (target) => {
    const { shown } = await buyInBand10(target.origin, DATA, signerOf(target), fetchOf(target))
    expect(shown.artifacts).toHaveLength(1)
  },
  'A2A 0.3 in band': async (target) => {
    const { shown } = await buyInBand03(target.origin, DATA, signerOf(target), fetchOf(target))
    expect(shown.artifacts).toHaveLength(1)
  },
  'A2A 1.0 over @x402/fetch': async (target) => {
    const client = await client10(target.origin, payingFetch(target))
    expect(await client.sendMessage(request10(message10(DATA)))).toHaveProperty('artifacts.length', 1)
  },
  'A2A 0.3 over @x402/fetch': async (target) => {
    const client = await client03(target.origin, payingFetch(target))
    const message = message03({ parts: [{ kind: 'data', data: DATA }] })
    expect(await client.sendMessage({ message })).toHaveProperty('artifacts.length', 1)
  },
  'MCP of a session': overMcp('legacy'),
  'MCP that asks the server': overMcp('auto'),
  'MCP 2026-07-28': overMcp({ pin: '2026-07-28' }),
}
