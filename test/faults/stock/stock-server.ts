// The same check at the same terms, sold by the stock middleware of x402 as its documentation shows it.
import { HTTPFacilitatorClient } from '@x402/core/server'
import { ExactEvmScheme } from '@x402/evm/exact/server'
import { paymentMiddleware, x402ResourceServer } from '@x402/express'
import { declarePaymentIdentifierExtension, PAYMENT_IDENTIFIER } from '@x402/extensions/payment-identifier'
import express from 'express'
import { checkIban } from 'format-checker-checks/iban'
import { termsFor } from '../../support/chain-payments.ts'

const { PORT = '', PAY_TO = '', FACILITATOR_URL = '', FACILITATOR_TIMEOUT_MS = '', GUARD = '' } = process.env

const { scheme, network, amount, asset, maxTimeoutSeconds, extra } = termsFor(PAY_TO as `0x${string}`)
const accepts = { scheme, network, payTo: PAY_TO, maxTimeoutSeconds, price: { amount, asset, extra } }
const server = new x402ResourceServer(
  new HTTPFacilitatorClient({ url: FACILITATOR_URL, timeoutMs: Number(FACILITATOR_TIMEOUT_MS) }),
)
server.register('eip155:8453', new ExactEvmScheme())
if (GUARD === 'down')
  server.onBeforeSettle(async () => {
    throw new Error('the store of used payments does not answer')
  })

const app = express()
app.use(express.json())
app.use(
  paymentMiddleware(
    {
      'POST /api/validate/iban': {
        accepts,
        extensions: { [PAYMENT_IDENTIFIER]: declarePaymentIdentifierExtension(false) },
      },
    },
    server,
  ),
)
app.post('/api/validate/iban', (request, response) => void response.json(checkIban(request.body.value)))
app.listen(Number(PORT), '127.0.0.1', () => console.log('listening'))
