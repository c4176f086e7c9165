/**
 * The same guarantee from stock parts: `@x402/express`, a claim on disk before the settlement, a record of it on disk
 * before the answer, and replays out of that record.
 */
import { decodePaymentSignatureHeader, encodePaymentResponseHeader } from '@x402/core/http'
import type { PaymentPayload } from '@x402/core/types'
import express, { type Request, type Response } from 'express'
import { checkIban } from 'format-checker-checks/iban'
import { openDurableSales, requestHash, type SaleKey } from './durable-sales.ts'
import { PATH, sellIban, stockServer } from './sell-iban.ts'
import { serve } from './tell-port.ts'

const sales = openDurableSales()

function keyOf({ payload }: Pick<PaymentPayload, 'payload'>): SaleKey {
  const { from, nonce } = (payload as { authorization: { from: string; nonce: string } }).authorization
  return { payer: from.toLowerCase(), nonce: nonce.toLowerCase() }
}

const paymentOf = (request: Request): SaleKey | undefined => {
  const header = request.header('payment-signature')
  return header === undefined ? undefined : keyOf(decodePaymentSignatureHeader(header))
}

const server = stockServer()
server.onAfterSettle(async ({ paymentPayload, result }) => {
  if (result.success) sales.settle(keyOf(paymentPayload), encodePaymentResponseHeader(result))
})

const app = express()
app.post(PATH, express.json(), (request: Request, response: Response, next) => {
  const key = paymentOf(request)
  const sale = key === undefined ? undefined : sales.find(key)
  if (sale === undefined) return next()
  if (sale.state !== 'settled' || sale.request !== requestHash(request.body)) {
    response.status(409).json({ error: 'the payment is used' })
    return
  }
  response
    .set('PAYMENT-RESPONSE', sale.settlement ?? '')
    .type('json')
    .send(sale.answer)
})
app.use(sellIban(server))
app.post(PATH, (request, response) => {
  const answer = JSON.stringify(checkIban(request.body.value))
  const key = paymentOf(request)
  if (key === undefined || !sales.claim(key, requestHash(request.body), answer)) {
    response.status(409).json({ error: 'the payment is used' })
    return
  }
  response.type('json').send(answer)
})
serve(app)
