import { x402Client, x402HTTPClient } from '@x402/core/client'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import type { Verdict } from 'format-checker-checks/verdict'
import { privateKeyToAccount } from 'viem/accounts'
import { outboundFetch } from '../../outbound/outbound-fetch.ts'
import { SANDBOX } from '../../payments/networks/sandbox.ts'
import type { SandboxService } from './start-sandbox.ts'

/** The published example of ISO 13616 for the United Kingdom; not a real account. */
export const EXAMPLE_IBAN = 'GB82 WEST 1234 5698 7654 32'

export interface FirstSale {
  readonly verdict: Verdict
  readonly transaction: string
}

/**
 * One real paid check with the reference client of x402, to show that the whole sale works. Null if it was not sold.
 */
export async function makeFirstSale({
  url,
  sandbox,
}: Pick<SandboxService, 'url' | 'sandbox'>): Promise<FirstSale | null> {
  const scheme = new ExactEvmScheme(privateKeyToAccount(sandbox.buyer.privateKey))
  const client = new x402HTTPClient(new x402Client().register(SANDBOX.id, scheme))
  const ask = (headers: Readonly<Record<string, string>> = {}) =>
    outboundFetch({ timeoutMs: 60_000, mostBytes: 64 * 1024 })(`${url}/api/validate/iban`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ value: EXAMPLE_IBAN }),
    })
  const refused = await ask()
  const terms = client.getPaymentRequiredResponse((name) => refused.headers.get(name), await refused.json())
  const answer = await ask(client.encodePaymentSignatureHeader(await client.createPaymentPayload(terms)))
  if (answer.status !== 200) return null
  const { transaction } = client.getPaymentSettleResponse((name) => answer.headers.get(name))
  return { verdict: (await answer.json()) as Verdict, transaction }
}
