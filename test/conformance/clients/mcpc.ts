/** Apify's `mcpc --x402` pays ahead, by the terms in the tool's `_meta`. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Outcome, runNode } from '../command.ts'
import { assertPaid } from '../paid-result.ts'
import type { Target, Trial } from '../target.ts'

const MCPC = 'node_modules/@apify/mcpc/bin/mcpc'
const IBAN = 'PL61109010140000071219812874'
const EMAIL = 'someone@example.com'

async function pay({ url, privateKey }: Target): Promise<void> {
  // It keeps its wallet and sessions under HOME.
  const home = await mkdtemp(join(tmpdir(), 'mcpc-'))
  const mcpc = async (...args: string[]): Promise<Outcome> => {
    const outcome = await runNode([MCPC, '--json', ...args], { env: { HOME: home, MCPC_HOME_DIR: home } })
    assert.equal(outcome.exitCode, 0, outcome.stdout + outcome.stderr)
    return outcome
  }
  const call = async (tool: string, value: string): Promise<unknown> =>
    JSON.parse((await mcpc('@fc', 'tools-call', tool, `value:=${JSON.stringify(value)}`)).stdout)
  try {
    await mcpc('x402', 'import', privateKey)
    await mcpc('connect', url, '@fc', '--x402')
    try {
      const paid = await call('validate_iban', IBAN)
      assertPaid(paid, 'iban')
      // It sends its last payment again: the same call is answered again, from the first sale.
      const repeated = await call('validate_iban', IBAN)
      assertPaid(repeated, 'iban')
      assert.deepEqual(receiptOf(repeated), receiptOf(paid))
      assert.equal(metaOf(repeated)['format-checker/replayed'], true)
      // It sends it with another call, too: refused, and not charged again. A new session signs anew.
      assert.deepEqual(errorOf(await call('validate_email', EMAIL)), { error: 'payment_already_used' })
      await mcpc('close', '@fc')
      await mcpc('connect', url, '@fc', '--x402')
      assertPaid(await call('validate_email', EMAIL), 'email')
    } finally {
      await mcpc('close', '@fc')
    }
  } finally {
    await rm(home, { recursive: true, force: true })
  }
}

function receiptOf(result: unknown): unknown {
  return metaOf(result)['x402/payment-response']
}

function errorOf(result: unknown): unknown {
  return metaOf(result)['x402/error']
}

function metaOf(result: unknown): Record<string, unknown> {
  return (result as { _meta: Record<string, unknown> })._meta
}

export const mcpcTrials: readonly Trial[] = [
  { name: 'mcpc 0.2.6 pays ahead, repeats, and pays again in a new session', run: pay },
]
