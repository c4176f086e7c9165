import { createServer } from 'node:http'
import { join } from 'node:path'
import { privateKeyToAccount } from 'viem/accounts'
import { LONG_HOST } from '../../scripts/response-heads-doc.ts'
import { buildApp } from '../../src/app.ts'
import { openSqliteLedger } from '../../src/ledger/sqlite/sqlite-ledger.ts'
import type { ChannelParts } from '../../src/payments/channels/channels.ts'
import { createHttpFacilitator } from '../../src/payments/facilitators/http/http-facilitator.ts'
import { BASE } from '../../src/payments/networks/base.ts'
import { startSandbox } from '../../src/sandbox/sandbox.ts'
import { listenOnLoopback } from './loopback.ts'
import { headerFor } from './payment-header.ts'
import { PLAIN_APP } from './plain-app.ts'
import { scratchDir } from './service-process.ts'

/** The service as it runs behind a public https address, with a simulated chain; reached on loopback. */
export async function startPublicService(host = LONG_HOST, channels?: ChannelParts) {
  const scratch = scratchDir()
  const sandbox = await startSandbox({ dataDir: join(scratch.path, 'chain') })
  const ledger = await openSqliteLedger({ dataDir: join(scratch.path, 'ledger') })
  const facilitator = createHttpFacilitator({ url: sandbox.facilitatorUrl })
  const silent = () => {}
  const app = await buildApp({
    ...PLAIN_APP,
    baseUrl: `https://${host}`,
    payTo: sandbox.payTo,
    networks: [{ network: BASE, facilitator, chain: sandbox.chainReader }],
    ledger,
    dataDir: scratch.path,
    loopback: false,
    now: Date.now,
    ...(channels === undefined ? {} : { channels }),
    log: { info: silent, warn: silent, error: silent },
  })
  const { port, url, stop } = await listenOnLoopback(createServer({ maxHeaderSize: 32_768 }, app.handler))
  const buyer = privateKeyToAccount(sandbox.buyer.privateKey)

  return {
    port,
    url,
    host,
    pay: () => headerFor(buyer, sandbox.payTo),
    async stop() {
      await stop()
      await app.close()
      await ledger.close()
      await facilitator.close()
      await sandbox.stop()
      scratch.remove()
    },
  }
}
