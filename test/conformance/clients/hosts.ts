/** Calls as hosts make them through the SDKs that they are built on: n8n, Claude Code and Google's ADK. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { LIST_ITEMS } from '../orders.ts'
import { assertPaid, assertPaidList } from '../paid-result.ts'
import { signPayment } from '../sign-payment.ts'
import type { Target, Trial } from '../target.ts'

// Named in variables because this folder's packages are absent when the product is type-checked.
const SDK = '@modelcontextprotocol/sdk/client'
const A2A = '@a2a-js/sdk/client'

const VALUE = 'PL61109010140000071219812874'

/** Calls a tool unpaid, pays what it asks for, and returns the second result. */
async function buy({ url, privateKey }: Target, name: string, args: object): Promise<unknown> {
  const { Client } = await import(`${SDK}/index.js`)
  const { StreamableHTTPClientTransport } = await import(`${SDK}/streamableHttp.js`)
  const client = new Client({ name: 'host', version: '1' })
  await client.connect(new StreamableHTTPClientTransport(new URL(url)))
  const { structuredContent } = await client.callTool({ name, arguments: args })
  const payment = await signPayment(structuredContent, privateKey)
  const result = await client.callTool({ name, arguments: args, _meta: { 'x402/payment': payment } })
  await client.close()
  return result
}

export const hostTrials: readonly Trial[] = [
  {
    name: 'a call as n8n makes it, with toolCallId among the arguments, is sold through MCP SDK 1.32.2',
    async run(target) {
      assertPaid(await buy(target, 'validate_iban', { value: VALUE, toolCallId: 'call_1' }), 'iban')
      const list = { items: LIST_ITEMS, toolCallId: 'call_2' }
      assertPaidList(await buy(target, 'validate_batch', list))
    },
  },
  {
    name: 'a list as Claude Code writes it, as a text, is sold through MCP SDK 1.32.2',
    async run(target) {
      assertPaidList(await buy(target, 'validate_batch', { items: JSON.stringify(LIST_ITEMS) }))
    },
  },
  {
    name: 'a context id as ADK makes it is kept through A2A SDK 1.3.0',
    async run({ origin }) {
      const { ClientFactory } = await import(A2A)
      const client = await new ClientFactory().createFromUrl(origin)
      const contextId = `ADK/app/user@x.example/${randomUUID()}`
      const reply = await client.sendMessage({
        message: {
          ...{ messageId: randomUUID(), role: 1, extensions: [], referenceTaskIds: [], contextId },
          parts: [{ content: { $case: 'text', value: 'hello' } }],
        },
      })
      assert.equal(reply.contextId, contextId)
    },
  },
]
