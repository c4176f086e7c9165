import { existsSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { Client } from 'pg'
import type { StoreConfig } from '../../config/store.ts'
import { type Finding, fail, pass, warn } from './finding.ts'

const LOW_SPACE_BYTES = 256 * 1024 * 1024
const TIMEOUT_MS = 5_000

/** Checks that the store can be written. Leaves nothing behind. */
export async function checkStore(store: StoreConfig): Promise<Finding> {
  return store.kind === 'sqlite' ? checkDirectory(store.dataDir) : checkDatabase(store.url)
}

/** The directory itself, or the folder in which the service will create it. */
const nearestExisting = (path: string): string => (existsSync(path) ? path : nearestExisting(dirname(path)))

function checkDirectory(dataDir: string): Finding {
  const directory = nearestExisting(resolve(dataDir))
  const probe = join(directory, `.doctor-${process.pid}`)
  try {
    writeFileSync(probe, 'probe', { mode: 0o600, flush: true })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return fail(
      'store',
      `DATA_DIR cannot be written (${code})`,
      'Give the user that runs the service a directory of its own, on a volume that is kept.',
    )
  } finally {
    // On a full disk the file may exist without its content.
    if (existsSync(probe)) rmSync(probe)
  }
  const { bavail, bsize } = statfsSync(directory)
  const free = bavail * bsize
  const found = `DATA_DIR can be written, ${Math.floor(free / 1024 / 1024)} MB free`
  return free < LOW_SPACE_BYTES ? warn('store', found, 'Make room on the volume.') : pass('store', found)
}

/** Read-only questions; the tables are the service's to create. */
const QUESTION = `SELECT pg_is_in_recovery() OR current_setting('transaction_read_only') = 'on' AS read_only,
  CASE WHEN to_regclass('payments') IS NULL THEN has_schema_privilege(current_schema(), 'CREATE')
       ELSE has_table_privilege('payments', 'INSERT') AND has_table_privilege('payments', 'UPDATE') END AS allowed`

async function checkDatabase(connectionString: string): Promise<Finding> {
  const client = new Client({
    connectionString,
    connectionTimeoutMillis: TIMEOUT_MS,
    query_timeout: TIMEOUT_MS,
  })
  // Without a listener an error after the questions would end the process.
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ read_only: boolean; allowed: boolean }>(QUESTION)
    const [row] = rows
    if (row?.read_only === true) {
      return fail('store', 'DATABASE_URL leads to a read-only server', 'Use the address of the primary.')
    }
    return row?.allowed === true
      ? pass('store', 'DATABASE_URL can be written')
      : fail('store', 'DATABASE_URL lacks the privilege to write', 'Grant it on the schema to this role.')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return fail(
      'store',
      `DATABASE_URL does not answer${code === undefined ? '' : ` (${code})`}`,
      'Check host, port, user, password and the firewall.',
    )
  } finally {
    await client.end().catch(() => {})
  }
}
