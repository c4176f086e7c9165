import { HTTPFacilitatorClient } from '@x402/core/server'
import { ExactEvmScheme } from '@x402/evm/exact/server'
import { paymentMiddleware, x402ResourceServer } from '@x402/express'

export const PATH = '/api/validate/iban'

/** The stock resource server over the facilitator of the environment. */
export function stockServer(): x402ResourceServer {
  const server = new x402ResourceServer(new HTTPFacilitatorClient({ url: process.env.FACILITATOR_URL ?? '' }))
  server.register('eip155:8453', new ExactEvmScheme())
  return server
}

/** The stock middleware, selling the IBAN check at our price. */
export const sellIban = (server: x402ResourceServer, scheme = 'exact') =>
  paymentMiddleware(
    {
      [`POST ${PATH}`]: {
        accepts: {
          scheme,
          price: '$0.001',
          network: 'eip155:8453',
          payTo: process.env.PAY_TO ?? '',
          maxTimeoutSeconds: 120,
        },
        description: 'IBAN check',
        mimeType: 'application/json',
      },
    },
    server,
  )
