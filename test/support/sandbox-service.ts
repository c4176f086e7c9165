import { join } from 'node:path'
import Database from 'better-sqlite3'
import type { Hex } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { readConfig, type SandboxConfig } from '../../src/config.ts'
import { createLog } from '../../src/log.ts'
import { startSandboxService } from '../../src/main/sandbox/start-sandbox.ts'
import { freshAccount, type SignedTransfer } from './chain-payments.ts'
import { headerFor } from './payment-header.ts'
import { scratchDir } from './service-process.ts'

/** Environment of a service under test: its own port, no limit that a test of something else would run into. */
const ENVIRONMENT = { PORT: '0', RATE_LIMIT_UNPAID: '0', CHANNELS: 'off' }

/** The whole service on a real socket in this process, with its chain, its books and its log open to the test. */
export async function startTestService(environment: Readonly<Record<string, string>> = {}) {
  const scratch = scratchDir()
  const dataDir = join(scratch.path, 'data')
  const config = readConfig({ ...ENVIRONMENT, DATA_DIR: dataDir, ...environment }) as SandboxConfig
  const logged: string[] = []
  const log = createLog({ level: config.logLevel, write: (line) => logged.push(line) })
  const service = await startSandboxService(config, log)
  const { url, sandbox } = service
  const database = new Database(join(dataDir, `ledger-${sandbox.chainName}`, 'ledger.sqlite'), {
    readonly: true,
  })
  const buyer = privateKeyToAccount(sandbox.buyer.privateKey)

  return {
    url,
    adminUrl: service.adminUrl ?? '',
    port: Number(new URL(url).port),
    dataDir,
    sandbox,
    logged,
    buyer,
    balance: (account: Hex) => sandbox.chainReader.balance(account),
    /** What a request that costs nothing must not move. */
    books: async () => ({
      rows: database.prepare('SELECT count(*) FROM payments').pluck().get() as number,
      buyer: await sandbox.chainReader.balance(buyer.address),
      payee: await sandbox.chainReader.balance(sandbox.payTo),
    }),
    rows: () => database.prepare('SELECT * FROM payments').all() as Record<string, unknown>[],
    /** A payment of one call in a header's text; by the sandbox's buyer unless said otherwise. */
    pay: (fields: Partial<SignedTransfer> = {}, account: PrivateKeyAccount = buyer) =>
      headerFor(account, sandbox.payTo, fields),
    /** A new buyer with money. */
    async newBuyer(amount = 1_000_000n): Promise<PrivateKeyAccount> {
      const account = freshAccount()
      await sandbox.fund(account.address, amount)
      return account
    },
    /** Sends a check as a plain client would. */
    check: (type: string, value: string, headers: Readonly<Record<string, string>> = {}) =>
      fetch(`${url}/api/validate/${type}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...headers },
        body: JSON.stringify({ value }),
      }),
    async stop() {
      database.close()
      await service.stop()
      scratch.remove()
    },
    /** Ends the service, and leaves its directory to the test. */
    end: service.stop,
  }
}

export type TestService = Awaited<ReturnType<typeof startTestService>>
