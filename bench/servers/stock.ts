/** The reference: `@x402/express` on a bare Express 5, selling one check. */
import { HTTPFacilitatorClient } from '@x402/core/server'
import { ExactEvmScheme } from '@x402/evm/exact/server'
import { paymentMiddleware, x402ResourceServer } from '@x402/express'
import express from 'express'
import { checkIban } from '../../src/checks/iban/check-iban.ts'
import { serve } from './tell-port.ts'

const server = new x402ResourceServer(new HTTPFacilitatorClient({ url: process.env.FACILITATOR_URL ?? '' }))
server.register('eip155:8453', new ExactEvmScheme())

const app = express()
app.use(
  paymentMiddleware(
    {
      'POST /api/validate/iban': {
        accepts: {
          scheme: 'exact',
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
  ),
)
app.post('/api/validate/iban', express.json(), (request, response) => {
  response.json(checkIban(request.body.value))
})
serve(app)
