/** Uses the embedded store until it is killed: DATA_DIR, the file of claims, a seed, and "last" for a run that ends. */
import { openSqliteLedger } from '../../../src/ledger/sqlite/sqlite-ledger.ts'
import { SeededRandom } from '../../support/seeded-random.ts'
import { NOW, useStore } from '../../support/store-acts.ts'
import { teller } from '../told.ts'

const ACTS = 50
/** Few, so that the log is moved into the database every few writes. */
const LOG_PAGES = 40

const [dataDir = '', told = '', seed = '', end] = process.argv.slice(2)
const random = new SeededRandom(Number(seed))
const tell = teller(told)
const ledger = await openSqliteLedger({
  dataDir,
  now: () => NOW,
  onFailedFlush: () => process.exit(1),
  timing: {
    patience: (hurry) => ({ end: clearImmediate.bind(null, setImmediate(hurry)) }),
    logPages: LOG_PAGES,
  },
})
const use = () => useStore(ledger, random, (name, claim) => tell({ file: 'ledger.sqlite', name, claim }))
// Those that fail promise nothing.
for (let act = 0; act < ACTS; act += 1)
  await Promise.allSettled(Array.from({ length: 1 + random.int(3) }, use))
if (end !== 'last') process.kill(process.pid, 'SIGKILL')
await ledger.close()
