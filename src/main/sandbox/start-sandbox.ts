import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { privateKeyToAccount } from 'viem/accounts'
import type { AppOptions } from '../../app/options.ts'
import { startTracing } from '../../app/tracing/tracing.ts'
import { type App, buildApp } from '../../app.ts'
import type { SandboxConfig } from '../../config.ts'
import { holdLockFile } from '../../ledger/sqlite/lock-file.ts'
import { openSqliteLedger } from '../../ledger/sqlite/sqlite-ledger.ts'
import type { Log } from '../../log.ts'
import { createRpcChannelReader } from '../../payments/channels/chain/rpc-channel-reader.ts'
import { createHttpFacilitator } from '../../payments/facilitators/http/http-facilitator.ts'
import { type Sandbox, startSandbox } from '../../sandbox/sandbox.ts'
import { openAdminPort } from '../admin-port.ts'
import { checkGivenKeys } from '../check-given-keys.ts'
import { makeTemporaryDir, prepareDataDir } from '../data-dir.ts'
import { finishCalls } from '../finish-calls.ts'
import { connectionsOf, listen, portOf } from '../listen.ts'
import { type Service, SHUTDOWN_GRACE_MS } from '../service.ts'
import { refuseLiveDataDir } from './refuse-live-data-dir.ts'
import { sandboxRoutes } from './sandbox-routes.ts'
import { sandboxWallet } from './sandbox-wallet.ts'

export interface SandboxService extends Service {
  readonly sandbox: Sandbox
  /** The operator's view; null if it is turned off. */
  readonly adminUrl: string | null
}

/** Starts the whole service on this machine: chain, token, facilitator, buyer, store and app, all on loopback. */
export async function startSandboxService(config: SandboxConfig, log: Log): Promise<SandboxService> {
  checkGivenKeys(config)
  const dataDir = config.dataDir ?? makeTemporaryDir()
  prepareDataDir(dataDir)
  refuseLiveDataDir(dataDir)
  const cleanUps: (() => Promise<void> | void)[] = []
  const cleanUp = async () => {
    for (const each of cleanUps.reverse()) await each()
  }
  try {
    if (config.dataDir === null) cleanUps.push(removeAtEnd(dataDir))
    const lock = holdLockFile(join(dataDir, 'sandbox.lock'))
    cleanUps.push(() => lock.release())
    const sandbox = await startSandbox({
      dataDir,
      ...(config.chain === 'auto' ? {} : { chain: config.chain }),
    })
    cleanUps.push(() => sandbox.stop())
    const tracing = config.tracing === null ? null : await startTracing(config.tracing)
    if (tracing !== null) cleanUps.push(tracing.close)
    // A ledger belongs to its chain: rows of another chain would never be found on this one.
    const ledger = await openSqliteLedger({ dataDir: join(dataDir, `ledger-${sandbox.chainName}`) })
    cleanUps.push(() => ledger.close())
    const facilitator = createHttpFacilitator({ url: sandbox.facilitatorUrl })
    cleanUps.push(() => facilitator.close())

    // The published URLs contain the port, so it must be known before the documents are made.
    let app: App | undefined
    const server = await listen(
      (req, res) => (app === undefined ? res.writeHead(503).end() : app.handler(req, res)),
      config.host,
      config.port,
      connectionsOf(config),
      {
        opened: () => app?.connections.opened() ?? (() => {}),
        refused: (limit) => app?.connections.refused(limit),
      },
    )
    cleanUps.push(() => finishCalls(server, app, SHUTDOWN_GRACE_MS))
    const url = `http://${config.host}:${portOf(server)}`
    app = await buildApp({
      baseUrl: url,
      payTo: sandbox.payTo,
      facilitatorUrl: sandbox.facilitatorUrl,
      facilitator,
      chain: sandbox.chainReader,
      ledger,
      dataDir,
      secretKey: config.secretKey,
      secretKeyPrevious: config.secretKeyPrevious,
      cardKeyPrevious: config.cardKeyPrevious,
      receiptKeyPrevious: config.receiptKeyPrevious,
      finalityDepth: 0n,
      verifyAlways: config.facilitatorVerify === 'always',
      proofOnChain: config.settlementProof === 'chain',
      rateLimitUnpaid: config.rateLimitUnpaid,
      trustProxy: config.trustProxy,
      loopback: true,
      sandbox: true,
      contactEmail: config.contactEmail,
      supportUrl: config.supportUrl,
      termsUrl: config.termsUrl,
      wellKnownDir: config.wellKnownDir,
      ownPayers: config.ownPayers,
      ...(config.channels ? channelsOf(sandbox) : {}),
      ...(tracing === null ? {} : { tracing }),
      extraRoutes: [sandboxRoutes(sandbox), sandboxWallet(sandbox)],
      now: ledger.clock.now,
      log,
    })
    const { close, drain } = app
    cleanUps.splice(-1, 0, close)
    const admin = await openAdminPort(app, config.admin)
    if (admin !== null) cleanUps.splice(-2, 0, admin.close)
    return {
      url,
      sandbox,
      adminUrl: admin?.url ?? null,
      stop: async () => {
        drain()
        await cleanUp()
      },
    }
  } catch (error) {
    await cleanUp()
    throw error
  }
}

/** Channels over the stand-in contracts; nothing on the chain in memory. */
function channelsOf({ rpcUrl, receiverAuthorizerKey }: Sandbox): Pick<AppOptions, 'channels'> {
  if (rpcUrl === null || receiverAuthorizerKey === null) return {}
  const authorizer = privateKeyToAccount(receiverAuthorizerKey)
  return { channels: { authorizer, reader: createRpcChannelReader([rpcUrl]) } }
}

/** Removes a directory when the process ends; returns a function that removes it earlier. */
function removeAtEnd(path: string): () => void {
  const remove = () => rmSync(path, { recursive: true, force: true })
  process.once('exit', remove)
  return () => {
    process.off('exit', remove)
    remove()
  }
}
