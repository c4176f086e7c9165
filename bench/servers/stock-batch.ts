/**
 * The reference for payment channels: `@x402/express` with the server scheme of `@x402/evm`, which checks vouchers
 * itself. Channels are in memory, or in the scheme's own files where `CHANNEL_FILES` is set.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { HTTPFacilitatorClient } from '@x402/core/server'
import { BatchSettlementEvmScheme } from '@x402/evm/batch-settlement/server'
import { FileChannelStorage } from '@x402/evm/batch-settlement/server/file-storage'
import { x402ResourceServer } from '@x402/express'
import express from 'express'
import { checkIban } from 'format-checker-checks/iban'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { PATH, sellIban } from './sell-iban.ts'
import { serve } from './tell-port.ts'

function filesOfThisRun(): FileChannelStorage {
  const directory = mkdtempSync(join(tmpdir(), 'format-checker-bench-channels-'))
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }))
  return new FileChannelStorage({ directory })
}

const server = new x402ResourceServer(new HTTPFacilitatorClient({ url: process.env.FACILITATOR_URL ?? '' }))
server.register(
  'eip155:8453',
  new BatchSettlementEvmScheme(process.env.PAY_TO as `0x${string}`, {
    receiverAuthorizerSigner: privateKeyToAccount(generatePrivateKey()),
    withdrawDelay: 86_400,
    ...(process.env.CHANNEL_FILES === undefined ? {} : { storage: filesOfThisRun() }),
  }),
)

const app = express()
app.use(sellIban(server, 'batch-settlement'))
app.post(PATH, express.json(), (request, response) => {
  response.json(checkIban(request.body.value))
})
serve(app)
