/**
 * `npm run bench`: peers and us in the same run on the same machine, medians and ratios.
 *
 * Options: `--quick` (short windows), `--smoke` (only proves that everything starts), `--only <row>` (repeatable),
 * `--write` (records the figures in bench/figures.json), `--no-peers` (installs nothing; for rows without libraries).
 */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import type { Effort } from './compare.ts'
import { startLoad } from './load/load.ts'
import { installPeers } from './peers/install.ts'
import { machineLine } from './report/machine.ts'
import { isMet, type Row } from './report/row.ts'
import { printRow, recordFigures } from './report/table.ts'
import { PLANS } from './rows/plans.ts'
import { startWorld } from './servers/our-service.ts'

const EFFORTS = {
  full: { rounds: 5, milliseconds: 3_000, payments: 4_000 },
  quick: { rounds: 3, milliseconds: 1_000, payments: 1_000 },
  smoke: { rounds: 1, milliseconds: 50, payments: 16 },
} as const satisfies Record<string, Effort>

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    smoke: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true, default: [] },
    write: { type: 'boolean', default: false },
    'no-peers': { type: 'boolean', default: false },
  },
})
const effort = values.smoke ? EFFORTS.smoke : values.quick ? EFFORTS.quick : EFFORTS.full
const chosen = PLANS.filter(({ id }) => values.only.length === 0 || values.only.includes(id))
if (chosen.length === 0) throw new Error(`no such row; there are ${PLANS.map(({ id }) => id).join(', ')}`)

if (!values['no-peers']) installPeers()
const rows: Row[] = []
const load = startLoad()
const world = await startWorld()
try {
  for (const plan of chosen) {
    for (const row of await plan.run({ load, world, effort })) {
      rows.push(row)
      printRow(row)
    }
  }
} finally {
  await Promise.all([load.stop(), world.stop()])
}

const report = { at: new Date().toISOString(), machine: machineLine(), effort, rows }
if (!values.smoke)
  writeFileSync(new URL('report.json', import.meta.url), `${JSON.stringify(report, null, 2)}\n`)
if (values.write) recordFigures(rows)
const missed = rows.flatMap((row) =>
  row.claims.filter((claim) => !isMet(claim)).map(({ what }) => `${row.id}: ${what}`),
)
if (!values.smoke) console.log(missed.length === 0 ? 'every target met' : `missed: ${missed.join('; ')}`)
