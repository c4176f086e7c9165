import { x402Client } from '@x402/core/client'
import { decodePaymentResponseHeader } from '@x402/core/http'
import type { SettleResponse } from '@x402/core/types'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { wrapFetchWithPayment } from '@x402/fetch'
import { privateKeyToAccount } from 'viem/accounts'
import type { CheckType, Verdict } from '../checks/verdict.ts'

export interface Purchase {
  /** Base URL of the service. */
  readonly url: string
  readonly type: CheckType
  readonly value: string
  readonly privateKey: `0x${string}`
  /** Most atomic units to pay; dearer terms are not signed. */
  readonly maxAmount: bigint
}

export type PurchaseOutcome =
  | {
      readonly kind: 'bought'
      readonly verdict: Verdict
      readonly settlement: SettleResponse
      readonly replayed: boolean
    }
  /** The service answered with an error; `code` is its own. */
  | { readonly kind: 'refused'; readonly status: number; readonly code: string; readonly detail: string }
  /** No terms at or under the highest price. Nothing was signed. */
  | { readonly kind: 'too_dear' }
  /** No answer. Where something was signed, whether it was paid is not known. */
  | { readonly kind: 'unreachable'; readonly signed: boolean }

/** Buys one check over REST, as any x402 client would. */
export async function buyCheck({
  url,
  type,
  value,
  privateKey,
  maxAmount,
}: Purchase): Promise<PurchaseOutcome> {
  // How far it came, since the client wraps what is thrown inside it.
  const progress = { tooDear: false, signed: false }
  const client = new x402Client((_version, offered) => {
    const affordable = offered.find((terms) => BigInt(terms.amount) <= maxAmount)
    progress.signed = affordable !== undefined
    progress.tooDear = affordable === undefined
    if (affordable === undefined) throw new Error('above the highest price')
    return affordable
  })
  client.register('eip155:*', new ExactEvmScheme(privateKeyToAccount(privateKey)))
  const pay = wrapFetchWithPayment(fetch, client)
  let response: Response
  try {
    response = await pay(new URL(`/api/validate/${type}`, url).href, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ value }),
    })
  } catch {
    return progress.tooDear ? { kind: 'too_dear' } : { kind: 'unreachable', signed: progress.signed }
  }
  return readAnswer(response)
}

async function readAnswer(response: Response): Promise<PurchaseOutcome> {
  const body = (await response.json().catch(() => null)) as Record<string, unknown> | null
  const receipt = response.headers.get('PAYMENT-RESPONSE')
  if (response.status === 200 && body !== null && receipt !== null) {
    return {
      kind: 'bought',
      verdict: body as unknown as Verdict,
      settlement: decodePaymentResponseHeader(receipt),
      replayed: response.headers.get('Payment-Replayed') === 'true',
    }
  }
  return {
    kind: 'refused',
    status: response.status,
    code: typeof body?.code === 'string' ? body.code : 'unknown',
    detail: typeof body?.detail === 'string' ? body.detail : '',
  }
}
