import type { PaymentRequired } from '@x402/core/types'

/** Signs the offered terms as the reference client does; the payload as base64 of its JSON. */
export async function signPayment(required: PaymentRequired, privateKey: `0x${string}`): Promise<string> {
  const { x402Client } = await import('@x402/core/client')
  const { registerExactEvmScheme } = await import('@x402/evm/exact/client')
  const { privateKeyToAccount } = await import('viem/accounts')
  const client = new x402Client()
  registerExactEvmScheme(client, { signer: privateKeyToAccount(privateKey) })
  const payload = await client.createPaymentPayload(required)
  return Buffer.from(JSON.stringify(payload)).toString('base64')
}
