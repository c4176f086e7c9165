/** Apify's `mcpc --x402` pays ahead, by the terms in the tool's `_meta`. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Outcome, runNode } from '../command.ts'
import { LIST_ITEMS } from '../orders.ts'
import { assertPaid, assertPaidList } from '../paid-result.ts'
import type { Target, Trial } from '../target.ts'

const MCPC = 'node_modules/@apify/mcpc/bin/mcpc'
const IBAN = 'PL61109010140000071219812874'
const LIST = `items:=${JSON.stringify(LIST_ITEMS)}`
const EMAILS = Array.from({ length: 9 }, (_, number) => `someone${number}@example.com`)

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
      // It sends it with other calls, too: each is offered terms, and mcpc signs again by itself.
      const receipts = new Set([JSON.stringify(receiptOf(paid))])
      for (const value of EMAILS) {
        const sold = await call('validate_email', value)
        assertPaid(sold, 'email')
        assert.equal(metaOf(sold)['format-checker/replayed'], undefined)
        receipts.add(JSON.stringify(receiptOf(sold)))
      }
      assert.equal(receipts.size, EMAILS.length + 1)
      // The list tool names no price ahead: mcpc reads it in the unpaid answer.
      assertPaidList(JSON.parse((await mcpc('@fc', 'tools-call', 'validate_batch', LIST)).stdout))
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

function metaOf(result: unknown): Record<string, unknown> {
  return (result as { _meta: Record<string, unknown> })._meta
}

export const mcpcTrials: readonly Trial[] = [
  {
    name: 'mcpc 0.2.6 makes ten different paid calls in one session, repeats one free, and buys a list of 100',
    run: pay,
  },
]
