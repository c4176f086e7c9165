/** The MCP Inspector's command line lists, finds no fault with the schemas, and pays with metadata. */
import assert from 'node:assert/strict'
import { runNode } from '../command.ts'
import { LIST_ITEMS } from '../orders.ts'
import { assertPaid, assertPaidList, assertTerms } from '../paid-result.ts'
import { signPayment } from '../sign-payment.ts'
import type { Target, Trial } from '../target.ts'

const INSPECTOR = 'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js'
const IBAN = 'value=PL61109010140000071219812874'
/** What the Inspector ends with when a tool's result is an error. */
const TOOL_ERROR = 5

async function inspect({ url }: Target, ...args: string[]) {
  const { exitCode, stdout, stderr } = await runNode([
    INSPECTOR,
    '--cli',
    url,
    '--transport',
    'http',
    ...args,
  ])
  return { exitCode, stderr, result: stdout.trim() === '' ? undefined : JSON.parse(stdout) }
}

async function listStrictly(target: Target): Promise<void> {
  for (const era of ['legacy', 'modern']) {
    const { exitCode, result, stderr } = await inspect(
      target,
      '--protocol-era',
      era,
      '--method',
      'tools/list',
      '--strict',
    )
    assert.equal(exitCode, 0, stderr)
    assert.equal(result.tools.length, 7)
  }
}

async function pay(target: Target): Promise<void> {
  const call = ['--method', 'tools/call', '--tool-name', 'validate_iban', '--tool-arg', IBAN]
  const unpaid = await inspect(target, ...call)
  assert.equal(unpaid.exitCode, TOOL_ERROR, unpaid.stderr)
  assertTerms(unpaid.result)
  const payment = await signPayment(unpaid.result.structuredContent, target.privateKey)
  const paid = await inspect(target, ...call, '--tool-metadata', `x402/payment=${payment}`)
  assert.equal(paid.exitCode, 0, paid.stderr)
  assertPaid(paid.result, 'iban')
}

async function payForList(target: Target): Promise<void> {
  const items = `items=${JSON.stringify(LIST_ITEMS)}`
  const call = ['--method', 'tools/call', '--tool-name', 'validate_batch', '--tool-arg', items]
  const unpaid = await inspect(target, ...call)
  assert.equal(unpaid.exitCode, TOOL_ERROR, unpaid.stderr)
  const payment = await signPayment(unpaid.result.structuredContent, target.privateKey)
  const paid = await inspect(target, ...call, '--tool-metadata', `x402/payment=${payment}`)
  assert.equal(paid.exitCode, 0, paid.stderr)
  assertPaidList(paid.result)
}

export const inspectorTrials: readonly Trial[] = [
  { name: 'Inspector 2.12.0 lists strictly in both eras', run: listStrictly },
  { name: 'Inspector 2.12.0 pays with --tool-metadata', run: pay },
  { name: 'Inspector 2.12.0 buys a list of 100 with --tool-metadata', run: payForList },
]
