/** The reference: `@x402/express` on a bare Express 5, selling one check. */
import express from 'express'
import { checkIban } from 'format-checker-checks/iban'
import { PATH, sellIban, stockServer } from './sell-iban.ts'
import { serve } from './tell-port.ts'

const app = express()
app.use(sellIban(stockServer()))
app.post(PATH, express.json(), (request, response) => {
  response.json(checkIban(request.body.value))
})
serve(app)
