import { join } from 'node:path'
import Database from 'better-sqlite3'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { type LiveConfig, readConfig } from '../../src/config.ts'
import { createLog } from '../../src/log.ts'
import { startLive } from '../../src/main/live/start-live.ts'
import { startSandbox } from '../../src/sandbox/sandbox.ts'
import { keepMining } from './chain-backends.ts'
import { freshAccount } from './chain-payments.ts'
import { startHttpProxy } from './http-proxy.ts'
import { headerFor } from './payment-header.ts'
import { freePort } from './ports.ts'
import { scratchDir } from './service-process.ts'

/** What live mode needs around it: a chain, a facilitator and a place to keep things, each behind a proxy. */
export async function startWorld() {
  const scratch = scratchDir()
  const sandbox = await startSandbox({ dataDir: join(scratch.path, 'chain') })
  const rpc = await startHttpProxy(sandbox.rpcUrl ?? '')
  const stopMining = keepMining(sandbox.rpcUrl ?? '')
  return {
    sandbox,
    rpc,
    path: scratch.path,
    buyer: privateKeyToAccount(sandbox.buyer.privateKey),
    /** A new buyer with money. */
    async newBuyer(amount = 1_000_000n): Promise<PrivateKeyAccount> {
      const account = freshAccount()
      await sandbox.fund(account.address, amount)
      return account
    },
    pay: (account: PrivateKeyAccount) => headerFor(account, sandbox.payTo),
    /** Settings of live mode in this world; facilitator and node at the given addresses. */
    async settings(facilitatorUrl: string, name = 'data', rpcUrl = rpc.url): Promise<Record<string, string>> {
      const port = String(await freePort())
      return {
        HOST: '127.0.0.1',
        PORT: port,
        BASE_URL: `http://127.0.0.1:${port}`,
        PAY_TO: sandbox.payTo,
        FACILITATOR_URL: facilitatorUrl,
        RPC_URL: rpcUrl,
        DATA_DIR: join(scratch.path, name),
        RATE_LIMIT_UNPAID: '0',
        SHUTDOWN_DELAY: '0',
      }
    },
    async stop() {
      stopMining()
      await rpc.stop()
      await sandbox.stop()
      scratch.remove()
    },
    /** Ends the chain, and leaves its directory to the test. */
    end: () => {
      stopMining()
      return Promise.all([rpc.stop(), sandbox.stop()])
    },
    remove: scratch.remove,
  }
}

export type World = Awaited<ReturnType<typeof startWorld>>

/** The service in live mode, in this process, with its log and its books open to the test. */
export async function startLiveService(environment: Readonly<Record<string, string>>) {
  const config = readConfig(environment) as LiveConfig
  const logged: string[] = []
  const log = createLog({ level: config.logLevel, write: (line) => logged.push(line) })
  const service = await startLive(config, log)
  const file = join(environment.DATA_DIR ?? '', 'ledger.sqlite')
  const database = new Database(file, { readonly: true })
  return {
    url: service.url,
    port: config.port,
    logged,
    rows: () => database.prepare('SELECT * FROM payments').all() as Record<string, unknown>[],
    /** The sums of today, of all payers or of one. */
    treasury: (payer = '') =>
      database.prepare('SELECT * FROM treasury WHERE payer = ?').get(payer.toLowerCase()) as Record<
        string,
        unknown
      >,
    /** Sends a check as a plain client would. */
    check: (type: string, value: string, headers: Readonly<Record<string, string>> = {}) =>
      fetch(`${service.url}/api/validate/${type}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...headers },
        body: JSON.stringify({ value }),
      }),
    async stop() {
      database.close()
      await service.stop()
    },
  }
}

export type LiveService = Awaited<ReturnType<typeof startLiveService>>
