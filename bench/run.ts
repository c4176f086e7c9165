/** `npm run bench`: peers and us in the same run on the same machine, medians and ratios. */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import type { Effort } from './compare.ts'
import { startLoad } from './load/load.ts'
import { watchOthers } from './load/stopwatch.ts'
import { installPeers } from './peers/install.ts'
import { machineLine } from './report/machine.ts'
import { isMet, type Row } from './report/row.ts'
import { isQuiet, printRow, recordFigures } from './report/table.ts'
import { PLANS } from './rows/plans.ts'
import { startWorld } from './servers/our-service.ts'

const EFFORTS = {
  full: { rounds: 5, milliseconds: 3_000, payments: 4_000 },
  quick: { rounds: 3, milliseconds: 1_000, payments: 1_000 },
  smoke: { rounds: 1, milliseconds: 50, payments: 16 },
} as const satisfies Record<string, Effort>

const HELP = `npm run bench -- [options]

Measures the service beside its peers, window by window in turns; about 25 minutes on two idle processors.

  --only <row>   one of ${PLANS.map(({ id }) => id).join(', ')}; repeatable
  --quick        shorter windows, about eight minutes
  --smoke        only proves that everything starts
  --no-peers     installs no libraries; for rows without them
  --write        records the rows that had the machine for themselves; node scripts/update-docs.ts draws the page
  --help         this text`

const { values } = parseArgs({
  options: {
    help: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    smoke: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true, default: [] },
    write: { type: 'boolean', default: false },
    'no-peers': { type: 'boolean', default: false },
  },
})
if (values.help) {
  console.log(HELP)
  process.exit()
}
const effort = values.smoke ? EFFORTS.smoke : values.quick ? EFFORTS.quick : EFFORTS.full
const chosen = PLANS.filter(({ id }) => values.only.length === 0 || values.only.includes(id))
if (chosen.length === 0) throw new Error(`no such row; there are ${PLANS.map(({ id }) => id).join(', ')}`)

if (!values['no-peers']) installPeers()
const rows: Row[] = []
for (const plan of chosen) {
  // Each has a world and a load of its own, so that what it shows does not depend on the rows before it.
  const world = await startWorld()
  const load = startLoad()
  const taken = watchOthers()
  try {
    const measured = await plan.run({ load, world, effort })
    const share = taken()
    const told = measured.map((row) => ({ taken: share, ...row }))
    for (const row of told) printRow(row)
    // A run that is cut short keeps what it has.
    if (values.write) recordFigures(told)
    rows.push(...told)
  } finally {
    await Promise.all([load.stop(), world.stop()])
  }
}

const report = { at: new Date().toISOString(), machine: machineLine(), effort, rows }
if (!values.smoke)
  writeFileSync(new URL('report.json', import.meta.url), `${JSON.stringify(report, null, 2)}\n`)
const loud = rows.filter((row) => !isQuiet(row)).map(({ id }) => id)
if (values.write && loud.length > 0) {
  console.error(`not recorded, for others used the machine: ${loud.join(', ')}`)
  process.exitCode = 1
}
const missed = rows.flatMap((row) =>
  row.claims.filter((claim) => !isMet(claim)).map(({ what }) => `${row.id}: ${what}`),
)
if (!values.smoke) console.log(missed.length === 0 ? 'every target met' : `missed: ${missed.join('; ')}`)
