import { setTimeout as sleep } from 'node:timers/promises'
import type { LocalAccount } from 'viem'
import type { NetworkParts } from '../../app/options.ts'
import { buildApp } from '../../app.ts'
import type { LiveConfig } from '../../config.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import type { Log } from '../../log.ts'
import { isLoopback } from '../../values/loopback.ts'
import { mapAll } from '../../values/non-empty.ts'
import { openAdminPort } from '../admin-port.ts'
import { checkGivenKeys } from '../check-given-keys.ts'
import { endOnFailedFlush } from '../end-on-failed-flush.ts'
import { finishCalls } from '../finish-calls.ts'
import { listen, portOf } from '../listen.ts'
import { type Service, SHUTDOWN_GRACE_MS } from '../service.ts'
import { checkLiveSettings } from './check-live-settings.ts'
import { openLiveChain } from './live-chain.ts'
import { openLiveChannels } from './live-channels.ts'
import { openForeignFacilitator } from './live-facilitator.ts'
import { openLiveSigner } from './live-signer.ts'
import { openLiveStore } from './live-store.ts'
import { noteCoreFiles, noteOpenFiles, noteSignatureRecovery } from './note-machine.ts'

export type LiveNetwork = Pick<LiveConfig, 'chain' | 'facilitator'>

/**
 * `others` are sold on without channels; the settings name none. All pay the same account, and have real money, or all
 * have test money.
 */
export async function startLive(
  config: LiveConfig,
  log: Log,
  others: readonly LiveNetwork[] = [],
): Promise<Service> {
  const { store } = config
  checkGivenKeys(config.app.keys)
  const configs = [config, ...others.map((other) => ({ ...config, ...other }))] as const
  const checked = await Promise.all(mapAll(configs, (each) => checkNetwork(each, log)))
  const ledger = await openLiveStore(
    config,
    others.map(({ chain }) => chain.network),
    endOnFailedFlush(log),
  )
  const networks = await Promise.all(mapAll(checked, (each) => openNetwork(each, ledger, log)))
  const [{ signer, facilitator }] = networks
  const channels = await openLiveChannels(config, signer, facilitator)
  const app = await buildApp({
    ...config.app,
    ...channels,
    networks: mapAll(networks, ({ parts }) => parts),
    baseUrl: config.baseUrl,
    payTo: config.payTo,
    facilitatorUrl: facilitator.publicUrl,
    ledger,
    dataDir: store.kind === 'sqlite' ? store.dataDir : null,
    signer,
    loopback: isLoopback(config.host),
    sandbox: false,
    now: ledger.clock.now,
    log,
  })
  // Replicas on one database may listen on one port, so that a new one can start before the old one has stopped.
  const sharesPort = store.kind === 'postgres' && process.platform === 'linux'
  const admin = await openAdminPort(app, config.admin, sharesPort)
  if (admin !== null) log.info({ event: 'listening', mode: 'admin', url: admin.url }, 'startup')
  const server = await listen(app.handler, {
    ...config.app.limits,
    ...{ host: config.host, port: config.port, sharesPort },
    ...{ observer: app.connections, traffic: app.traffic },
  })
  log.info({ event: 'listening', mode: 'live', port: portOf(server), url: config.baseUrl }, 'startup')
  noteSignatureRecovery(log)
  noteOpenFiles(config.app.limits, log)
  noteCoreFiles(log)
  log.info({ event: 'status_page', url: `${config.baseUrl}/status` }, 'startup')
  return {
    url: config.baseUrl,
    stop: async (delayMs = config.shutdownDelayMs) => {
      app.drain()
      server.drain()
      await sleep(delayMs)
      await finishCalls(server, app, SHUTDOWN_GRACE_MS)
      await app.close()
      await admin?.close()
      for (const each of networks) await each.facilitator.close()
      await ledger.close()
      for (const each of networks) each.signer.close()
    },
  }
}

async function checkNetwork(config: LiveConfig, log: Log) {
  const chain = openLiveChain(config.chain, log)
  const { facilitator } = config
  const foreign = facilitator.kind === 'self' ? null : openForeignFacilitator(facilitator, log)
  const signer = await openLiveSigner(config)
  const { settlement } = signer
  await checkLiveSettings(config, { facilitator: foreign?.client ?? null, settlement, log })
  return { config, chain, foreign, signer }
}

type CheckedNetwork = Awaited<ReturnType<typeof checkNetwork>>

async function openNetwork({ config, chain, foreign, signer }: CheckedNetwork, ledger: Ledger, log: Log) {
  const facilitator =
    foreign ??
    (await (
      await import('../../payments/facilitators/self/open-settlement.ts')
    ).openSettlement(config, signer.settlement as LocalAccount, ledger, log))
  const { network } = config.chain
  const parts: NetworkParts = { ...facilitator, network, chain, facilitator: facilitator.client }
  return { signer, facilitator, parts }
}
