/** The reference settling in process with a plain viem wallet, as its examples show it. */
import { x402Facilitator } from '@x402/core/facilitator'
import { toFacilitatorEvmSigner } from '@x402/evm'
import { ExactEvmScheme as ExactEvmFacilitator } from '@x402/evm/exact/facilitator'
import { ExactEvmScheme } from '@x402/evm/exact/server'
import { paymentMiddleware, x402ResourceServer } from '@x402/express'
import express from 'express'
import { checkIban } from 'format-checker-checks/iban'
import { createWalletClient, http, publicActions } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { base } from 'viem/chains'
import { serve } from './tell-port.ts'

const account = privateKeyToAccount(process.env.SETTLEMENT_KEY as `0x${string}`)
const client = createWalletClient({
  account,
  chain: base,
  transport: http(process.env.RPC_URL),
}).extend(publicActions)
const signer = toFacilitatorEvmSigner({ ...client, address: account.address } as never)
const facilitator = new x402Facilitator()
facilitator.register('eip155:8453', new ExactEvmFacilitator(signer))

const server = new x402ResourceServer({
  verify: (payload, requirements) => facilitator.verify(payload, requirements),
  settle: (payload, requirements) => facilitator.settle(payload, requirements),
  getSupported: async () => facilitator.getSupported() as never,
})
server.register('eip155:8453', new ExactEvmScheme())
const terms = {
  scheme: 'exact',
  price: '$0.001',
  network: 'eip155:8453',
  payTo: process.env.PAY_TO ?? '',
  maxTimeoutSeconds: 120,
} as const
const app = express()
app.use(paymentMiddleware({ 'POST /api/validate/iban': { accepts: terms } }, server))
app.post('/api/validate/iban', express.json(), (request, response) => {
  response.json(checkIban(request.body.value))
})
serve(app)
