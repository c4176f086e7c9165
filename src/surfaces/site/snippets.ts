/** Calls to copy and paste; a test runs every one as it is (A2A below the one before it). */

import { restUrl } from '../../payments/terms/rest-offer.ts'
import type { Skill } from '../../skills/skill.ts'
import type { PageContext } from './page-context.ts'

export interface Snippet {
  readonly id: 'curl' | 'fetch' | 'a2a' | 'mcp'
  readonly title: string
  readonly note: string
  readonly language: string
  readonly code: string
}

/** One per way to call, in the order in which people try them. */
export function snippetsFor(context: PageContext, skill: Skill): readonly Snippet[] {
  return [
    {
      id: 'curl',
      title: 'curl',
      note: 'Without payment: the answer is 402 and holds the terms. Nothing is charged.',
      language: 'sh',
      code: curl(context, skill),
    },
    {
      id: 'fetch',
      title: '@x402/fetch',
      note: 'A fetch that pays: it reads the terms, signs them and repeats the request.',
      language: 'js',
      code: `${buyer(context)}\n${paidFetch(context, skill)}`,
    },
    {
      id: 'a2a',
      title: 'A2A',
      note: 'Append it to the lines above: the SDK’s client over the same paying fetch. A client that speaks x402 in band needs no such fetch.',
      language: 'js',
      code: a2aClient(context, skill),
    },
    {
      id: 'mcp',
      title: 'MCP',
      note: 'For the configuration of an MCP host with an x402 wallet; one tool per check.',
      language: 'json',
      code: mcpConfiguration(context),
    },
  ]
}

/** The value every example of a skill is shown with. */
function exampleValue(skill: Skill): string {
  const [example] = skill.examples
  if (example === undefined) throw new Error('a skill without examples')
  return example.input.value
}

/** An unpaid request. */
export function curl(context: PageContext, skill: Skill): string {
  const body = JSON.stringify({ value: exampleValue(skill) }).replaceAll("'", "'\\''")
  return `curl -i -X POST ${restUrl(context, skill)} \\
  -H 'Content-Type: application/json' \\
  -d '${body}'`
}

/** The data part of an A2A message. */
export const dataPart = (skill: Skill): string =>
  JSON.stringify({ skill: skill.id, input: { value: exampleValue(skill) } })

/** The parameters of an MCP call. */
export const toolCall = (skill: Skill): string =>
  JSON.stringify({ name: skill.operationId, arguments: { value: exampleValue(skill) } })

function buyer({ baseUrl, sandbox }: PageContext): string {
  const key = sandbox
    ? `const { buyer } = await (await fetch('${baseUrl}/sandbox.json')).json()
const account = privateKeyToAccount(buyer.privateKey)`
    : `import { env } from 'node:process'
const account = privateKeyToAccount(env.BUYER_PRIVATE_KEY)`
  return `import { x402Client } from '@x402/core/client'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { wrapFetchWithPayment } from '@x402/fetch'
import { privateKeyToAccount } from 'viem/accounts'

${key}
const wallet = new x402Client().register('eip155:*', new ExactEvmScheme(account))
const pay = wrapFetchWithPayment(fetch, wallet)
`
}

const paidFetch = (
  context: PageContext,
  skill: Skill,
): string => `const response = await pay('${restUrl(context, skill)}', {
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify({ value: ${literal(exampleValue(skill))} }),
})
console.log(await response.json())`

const a2aClient = (
  { baseUrl }: PageContext,
  skill: Skill,
): string => `import { ClientFactory, ClientFactoryOptions } from '@a2a-js/sdk/client'
import { JsonRpcTransportFactory } from '@a2a-js/sdk/client'

const options = ClientFactoryOptions.createFrom(ClientFactoryOptions.default, {
  transports: [new JsonRpcTransportFactory({ fetchImpl: pay })],
})
const agent = await new ClientFactory(options).createFromUrl('${baseUrl}')
const value = { skill: '${skill.id}', input: { value: ${literal(exampleValue(skill))} } }
const task = await agent.sendMessage({
  message: {
    messageId: crypto.randomUUID(),
    role: 1, // ROLE_USER
    parts: [{ content: { $case: 'data', value } }],
    extensions: [],
    referenceTaskIds: [],
  },
})
console.log(task.artifacts[0].parts[0].content.value)`

const mcpConfiguration = ({ baseUrl }: PageContext): string =>
  JSON.stringify({ mcpServers: { 'format-checker': { type: 'http', url: `${baseUrl}/mcp` } } }, null, 2)

const literal = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
