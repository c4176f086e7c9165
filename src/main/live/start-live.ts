import { setTimeout as sleep } from 'node:timers/promises'
import type { LocalAccount } from 'viem'
import { buildApp } from '../../app.ts'
import type { LiveConfig } from '../../config.ts'
import type { Log } from '../../log.ts'
import { isLoopback } from '../../loopback.ts'
import { openAdminPort } from '../admin-port.ts'
import { checkGivenKeys } from '../check-given-keys.ts'
import { finishCalls } from '../finish-calls.ts'
import { connectionsOf, listen, portOf } from '../listen.ts'
import { type Service, SHUTDOWN_GRACE_MS } from '../service.ts'
import { checkLiveSettings } from './check-live-settings.ts'
import { openLiveChain } from './live-chain.ts'
import { openLiveChannels } from './live-channels.ts'
import { openForeignFacilitator } from './live-facilitator.ts'
import { openLiveSigner } from './live-signer.ts'
import { openLiveStore } from './live-store.ts'
import { noteOpenFiles, noteSignatureRecovery } from './note-machine.ts'

export async function startLive(config: LiveConfig, log: Log): Promise<Service> {
  const { store, network } = config
  checkGivenKeys({ ...config.app, ...store })
  const chain = openLiveChain(config, log)
  const foreign = openForeignFacilitator(config.facilitator, log)
  const signer = await openLiveSigner(config)
  await checkLiveSettings(config, {
    facilitator: foreign?.client ?? null,
    settlement: signer.settlement,
    log,
  })
  const ledger = await openLiveStore(config)
  const facilitator =
    foreign ??
    (await (
      await import('./own-facilitator.ts')
    ).openOwnFacilitator(config, signer.settlement as LocalAccount, ledger, log))
  const channels = await openLiveChannels(config, signer.authorizer, facilitator)
  const app = await buildApp({
    ...config.app,
    ...channels,
    network,
    baseUrl: config.baseUrl,
    payTo: config.payTo,
    facilitatorUrl: facilitator.publicUrl,
    facilitator: facilitator.client,
    ...(facilitator.gasLevel === undefined ? {} : { gasLevel: facilitator.gasLevel }),
    ...(facilitator.settlementState === undefined ? {} : { settlementState: facilitator.settlementState }),
    ...(config.facilitator.kind === 'http' ? { facilitatorFee: config.facilitator.fee } : {}),
    chain,
    ledger,
    dataDir: store.kind === 'sqlite' ? store.dataDir : null,
    cardKey: signer.card ?? store.cardKey,
    receiptKey: signer.receipt ?? store.receiptKey,
    ...(config.signerSocket === null ? {} : { signerState: signer.state }),
    finalityDepth: network.finalityDepth,
    loopback: isLoopback(config.host),
    sandbox: false,
    now: ledger.clock.now,
    log,
  })
  // Replicas are safe beside each other, so one may listen before the one it takes the place of has stopped.
  const sharesPort = store.kind === 'postgres' && process.platform === 'linux'
  const admin = await openAdminPort(app, config.admin, sharesPort)
  if (admin !== null) log.info({ event: 'listening', mode: 'admin', url: admin.url }, 'startup')
  const server = await listen(
    app.handler,
    config.host,
    config.port,
    { ...connectionsOf(config), sharesPort },
    app.connections,
    app.traffic,
  )
  log.info({ event: 'listening', mode: 'live', port: portOf(server), url: config.baseUrl }, 'startup')
  noteSignatureRecovery(log)
  noteOpenFiles(config.maxConnections, log)
  log.info({ event: 'status_page', url: `${config.baseUrl}/status` }, 'startup')
  return {
    url: config.baseUrl,
    stop: async (delayMs = config.shutdownDelayMs) => {
      app.drain()
      await sleep(delayMs)
      await finishCalls(server, app, SHUTDOWN_GRACE_MS)
      await app.close()
      await admin?.close()
      await facilitator.close()
      await ledger.close()
      signer.close()
    },
  }
}
