// Runs schedules of the sale by hand: node test/simulation/run.ts --schedules 1000000 --seed 1
import { parseArgs } from 'node:util'
import { givenChoices, seededChoices, shrink } from './choices.ts'
import { type Finding, runSchedule } from './schedule.ts'
import { faultsNamed } from './searches.ts'
import { openSimulatedService } from './service.ts'

/** Schedules of one store: its rows stay, and each look over them takes longer. */
const FRESH_AFTER = 500

const { values } = parseArgs({
  options: {
    schedules: { type: 'string', default: '20000' },
    seed: { type: 'string', default: '1' },
    faults: { type: 'string', default: 'all' },
    'stop-after': { type: 'string', default: '1' },
  },
})
const faults = faultsNamed(values.faults)
const schedules = Number(values.schedules)
const firstSeed = Number(values.seed)
// A refused call is an everyday thing here, and its stack costs more than the call.
Error.stackTraceLimit = 0
let service = await openSimulatedService(2)
const findings = new Map<string, { seed: number; count: number; trace: readonly string[] }>()
const begun = performance.now()
let run = 0
for (; run < schedules && findings.size < Number(values['stop-after']); run += 1) {
  const seed = firstSeed + run
  if (run > 0 && run % FRESH_AFTER === 0) {
    await service.close()
    service = await openSimulatedService(2)
  }
  const finding = await runSchedule(service, seededChoices(seed), faults)
  if (finding === null) continue
  const known = findings.get(finding.promise)
  if (known !== undefined) known.count += 1
  else findings.set(finding.promise, { seed, count: 1, trace: finding.trace })
}
const seconds = (performance.now() - begun) / 1000
console.log(
  `${run} schedules in ${seconds.toFixed(1)} s from seed ${firstSeed}: ${findings.size} kinds of broken promises`,
)
for (const [promise, { seed, count, trace }] of findings) {
  const choices = seededChoices(seed)
  await runSchedule(service, choices, faults)
  let smallest: Finding | null = null
  await shrink(choices.taken, async (given) => {
    const finding = await runSchedule(service, givenChoices(given), faults)
    if (finding?.promise !== promise) return false
    smallest = finding
    return true
  })
  console.log(`\n${promise} (seed ${seed}, ${count} times)`)
  for (const line of (smallest as Finding | null)?.trace ?? trace) console.log(`  ${line}`)
}
await service.close()
process.exitCode = findings.size === 0 ? 0 : 1
