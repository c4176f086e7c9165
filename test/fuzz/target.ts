import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import type { Hex } from 'viem'
import { readConfig, type SandboxConfig } from '../../src/config.ts'
import { createLog } from '../../src/log.ts'
import { startSandboxService } from '../../src/main/sandbox/start-sandbox.ts'
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox.ts'

/** The service as it is tried: whole, on real sockets, in this process, over the sandbox's chain. */
export interface TestTarget {
  readonly url: string
  readonly port: number
  readonly adminPort: number
  readonly host: string
  readonly adminHost: string
  readonly payTo: Hex
  fund(address: Hex): Promise<void>
  books(): Promise<Books>
  /** Rows in the store: payments and tasks. */
  rows(): { readonly payments: number; readonly tasks: number }
  /** Ends the service as an operator does, and says what the books hold then. */
  stop(): Promise<Books>
}

export interface Books {
  /** How many payments reached the payee, by the chain. */
  readonly charged: number
  /** The transactions of all rows that say so. */
  readonly settled: ReadonlySet<string>
}

/** Starts it; `onLine` is called with every log line. */
export async function startTarget(
  onLine: (line: string) => void,
  settings: Readonly<Record<string, string>> = {},
): Promise<TestTarget> {
  const dataDir = mkdtempSync(join(tmpdir(), 'format-checker-fuzz-'))
  const config = readConfig({
    PORT: '0',
    // So that inputs can come from many addresses, of which each is limited as in earnest.
    TRUST_PROXY: '1',
    DATA_DIR: dataDir,
    ...settings,
  }) as SandboxConfig
  const service = await startSandboxService(config, createLog({ level: config.logLevel, write: onLine }))
  const { sandbox, url, adminUrl } = service
  const database = new Database(join(dataDir, `ledger-${sandbox.chainName}`, 'ledger.sqlite'), {
    readonly: true,
  })
  const count = (table: string) => database.prepare(`SELECT count(*) FROM ${table}`).pluck().get() as number
  const [publicUrl, operator] = [new URL(url), new URL(adminUrl ?? url)]
  const booksBy = async ({ chainReader, payTo }: Sandbox): Promise<Books> => ({
    charged: Number(await chainReader.balance(payTo)) / 1000,
    settled: new Set(
      database.prepare(`SELECT tx FROM payments WHERE state = 'settled'`).pluck().all() as string[],
    ),
  })
  return {
    url,
    port: Number(publicUrl.port),
    adminPort: Number(operator.port),
    host: publicUrl.host,
    adminHost: operator.host,
    payTo: sandbox.payTo,
    fund: (address) => sandbox.fund(address, 1_000_000_000n),
    books: () => booksBy(sandbox),
    rows: () => ({ payments: count('payments'), tasks: count('tasks') }),
    async stop() {
      await service.stop()
      // The service ends its chain; the state that the chain left is read by another one.
      const after = await startSandbox({ dataDir })
      const final = await booksBy(after)
      await after.stop()
      database.close()
      rmSync(dataDir, { recursive: true, force: true })
      return final
    },
  }
}
