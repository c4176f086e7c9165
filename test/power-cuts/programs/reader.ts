/** Reads the store of a service that was killed, as `stats` does. */
import { openSqliteReader } from '../../../src/ledger/sqlite/sqlite-reader.ts'

const [dataDir = ''] = process.argv.slice(2)
const reader = openSqliteReader({ dataDir })
await reader?.settled(0, Number.MAX_SAFE_INTEGER, 1_000)
await reader?.close()
