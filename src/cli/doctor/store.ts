import { existsSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { Client } from 'pg'
import type { StoreConfig } from '../../config/store.ts'
import { type Finding, fail, pass, warn } from './finding.ts'

const LOW_SPACE_BYTES = 256 * 1024 * 1024
const TIMEOUT_MS = 5_000

/** Leaves nothing behind. */
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
       ELSE has_table_privilege('payments', 'INSERT') AND has_table_privilege('payments', 'UPDATE') END AS allowed,
  concat_ws(' and ', CASE current_setting('fsync') WHEN 'off' THEN 'fsync is off' END,
    CASE current_setting('full_page_writes') WHEN 'off' THEN 'full_page_writes is off' END,
    CASE WHEN current_setting('synchronous_standby_names') = '' AND EXISTS (SELECT FROM pg_stat_replication)
      THEN 'a standby may lag, since synchronous_standby_names is empty' END) AS losses`

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
    const { rows } = await client.query<{ read_only: boolean; allowed: boolean; losses: string }>(QUESTION)
    const [row] = rows
    if (row?.read_only === true) {
      return fail('store', 'DATABASE_URL leads to a read-only server', 'Use the address of the primary.')
    }
    if (row?.allowed !== true)
      return fail(
        'store',
        'DATABASE_URL lacks the privilege to write',
        'Grant it on the schema to this role.',
      )
    return row.losses === ''
      ? pass('store', 'DATABASE_URL can be written')
      : warn(
          'store',
          `a crash or failover can lose sales: ${row.losses}`,
          'Correct it in the server, or be ready to restore.',
        )
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
