/** Calls to copy and paste; a test runs every one as it is. */

import type { Skill } from '../../catalog/skill.ts'
import { restUrl } from '../../payments/terms/rest-offer.ts'
import type { PageContext } from './page-context.ts'

const exampleValue = ({ examples: [example] }: Skill): string => example.input.value

export function curl(context: PageContext, skill: Skill): string {
  const body = JSON.stringify({ value: exampleValue(skill) }).replaceAll("'", "'\\''")
  return `curl -i -X POST ${restUrl(context, skill)} \\
  -H 'Content-Type: application/json' \\
  -d '${body}'`
}

export const dataPart = (skill: Skill): string =>
  JSON.stringify({ skill: skill.id, input: { value: exampleValue(skill) } })

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

export const payingFetch = (context: PageContext, skill: Skill): string => `${buyer(context)}
const response = await pay('${restUrl(context, skill)}', {
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify({ value: ${literal(exampleValue(skill))} }),
})
console.log(await response.json())`

const literal = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
