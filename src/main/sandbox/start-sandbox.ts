import { rmSync } from 'node:fs'
import type { Server } from 'node:http'
import { join } from 'node:path'
import { privateKeyToAccount } from 'viem/accounts'
import type { AppOptions } from '../../app/options.ts'
import { type App, buildApp } from '../../app.ts'
import { type SandboxConfig, searchPath } from '../../config.ts'
import { holdLockFile } from '../../files/lock-file.ts'
import { openSqliteLedger } from '../../ledger/sqlite/sqlite-ledger.ts'
import type { Log } from '../../log.ts'
import { createRpcChannelReader } from '../../payments/channels/chain/rpc-channel-reader.ts'
import { createHttpFacilitator } from '../../payments/facilitators/http/http-facilitator.ts'
import { SANDBOX } from '../../payments/networks/sandbox.ts'
import { type Closers, openAll } from '../../sandbox/closers.ts'
import { type Sandbox, startSandbox } from '../../sandbox/sandbox.ts'
import { openAdminPort } from '../admin-port.ts'
import { checkGivenKeys } from '../check-given-keys.ts'
import { makeTemporaryDir, prepareDataDir, refuseLiveDataDir } from '../data-dir.ts'
import { endOnFailedFlush } from '../end-on-failed-flush.ts'
import { finishCalls } from '../finish-calls.ts'
import { closeServer, listen, portOf } from '../listen.ts'
import { type Service, SHUTDOWN_GRACE_MS } from '../service.ts'
import { sandboxRoutes } from './sandbox-routes.ts'
import { sandboxWallet } from './sandbox-wallet.ts'

export interface SandboxService extends Service {
  readonly sandbox: Sandbox
  /** The operator's view; null if it is turned off. */
  readonly adminUrl: string | null
}

export async function startSandboxService(config: SandboxConfig, log: Log): Promise<SandboxService> {
  checkGivenKeys(config.app.keys)
  return openAll((opened) => start(config, log, opened))
}

async function start(config: SandboxConfig, log: Log, opened: Closers): Promise<SandboxService> {
  const { sandbox, facilitator, ...parts } = await openParts(config, log, opened)
  // The published URLs contain the port, so it must be known before the documents are made.
  const late: LateApp = { app: null }
  const server = await listenEarly(config, late)
  opened.add(() => closeServer(server, SHUTDOWN_GRACE_MS))
  const url = `http://${config.host}:${portOf(server)}`
  const app = await buildApp({
    ...config.app,
    ...parts,
    networks: [{ network: SANDBOX, facilitator, chain: sandbox.chainReader }],
    baseUrl: url,
    payTo: sandbox.payTo,
    facilitatorUrl: sandbox.facilitatorUrl,
    loopback: true,
    sandbox: true,
    ...(config.channels === null ? {} : channelsOf(sandbox)),
    extraRoutes: [sandboxRoutes(sandbox), sandboxWallet(sandbox)],
    now: parts.ledger.clock.now,
    log,
  })
  late.app = app
  opened.add(app.close)
  const admin = await openAdminPort(app, config.admin)
  if (admin !== null) opened.add(admin.close)
  // Added last and closed first: calls in flight finish while everything that they need is open.
  opened.add(() => finishCalls(server, app, SHUTDOWN_GRACE_MS))
  return {
    url,
    sandbox,
    adminUrl: admin?.url ?? null,
    stop: async () => {
      app.drain()
      await opened.close()
    },
  }
}

async function openParts(config: SandboxConfig, log: Log, opened: Closers) {
  const dataDir = openDataDir(config, opened)
  const sandbox = await startSandbox({ dataDir, log: console.error, searchPath: searchPath() })
  opened.add(sandbox.stop)
  // A ledger belongs to one chain: payments on another chain would never be found on this one.
  const ledger = await openSqliteLedger({
    dataDir: join(dataDir, `ledger-${sandbox.chainName}`),
    onFailedFlush: endOnFailedFlush(log),
  })
  opened.add(() => ledger.close())
  const facilitator = createHttpFacilitator({ url: sandbox.facilitatorUrl })
  opened.add(() => facilitator.close())
  return { dataDir, sandbox, ledger, facilitator }
}

/** The configured directory, or a new one that is removed at the end; no other sandbox can use it meanwhile. */
function openDataDir(config: SandboxConfig, opened: Closers): string {
  const dataDir = config.dataDir ?? makeTemporaryDir()
  if (config.dataDir === null) opened.add(removeAtEnd(dataDir))
  prepareDataDir(dataDir)
  refuseLiveDataDir(dataDir)
  const lock = holdLockFile(join(dataDir, 'sandbox.lock'))
  opened.add(() => lock.release())
  return dataDir
}

interface LateApp {
  app: App | null
}

/** Listens for an app that is not built yet; until it is, requests are answered 503. */
function listenEarly(config: SandboxConfig, late: LateApp): Promise<Server> {
  return listen((req, res) => (late.app === null ? res.writeHead(503).end() : late.app.handler(req, res)), {
    ...config.app.limits,
    host: config.host,
    port: config.port,
    observer: {
      opened: () => late.app?.connections.opened() ?? (() => {}),
      refused: (limit) => late.app?.connections.refused(limit),
    },
    traffic: {
      heldMs: (req) => late.app?.traffic.heldMs(req) ?? 0,
      weigh: (...read) => late.app?.traffic.weigh(...read) ?? 0,
      count: (...weighed) => late.app?.traffic.count(...weighed),
      answered: (...taken) => late.app?.traffic.answered(...taken),
    },
  })
}

function channelsOf({ rpcUrl, receiverAuthorizerKey }: Sandbox): Pick<AppOptions, 'channels'> {
  const authorizer = privateKeyToAccount(receiverAuthorizerKey)
  return { channels: { authorizer, reader: createRpcChannelReader({ network: SANDBOX, rpcUrls: [rpcUrl] }) } }
}

function removeAtEnd(path: string): () => void {
  const remove = () => rmSync(path, { recursive: true, force: true })
  process.once('exit', remove)
  return () => {
    process.off('exit', remove)
    remove()
  }
}
