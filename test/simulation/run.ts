// Runs schedules of the sale, of channels, of the recovery and of own settlements by hand: node test/simulation/run.ts --schedules 1000000 --seed 1
import { parseArgs } from 'node:util'
import { givenChoices, seededChoices, shrink } from './choices.ts'
import type { Finding } from './finding.ts'
import { openSimulated, runNamed } from './searches.ts'

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
/** With all faults, one schedule of so many is of a payment channel, of the recovery or claims, and of own settlements and trials, which take long. */
const [CHANNELS_EVERY, RECOVERIES_EVERY, SETTLEMENTS_EVERY, TRIALS_EVERY] = [5, 11, 41, 401]
const faultsOf = (seed: number) => {
  if (values.faults !== 'all') return values.faults
  if (seed % TRIALS_EVERY === 0) return 'trials'
  if (seed % SETTLEMENTS_EVERY === 0) return 'settlement,all'
  if (seed % RECOVERIES_EVERY === 0) return seed % 2 === 0 ? 'recovery,all' : 'claims,all'
  return seed % CHANNELS_EVERY === 0 ? 'channel,all' : 'all'
}
const schedules = Number(values.schedules)
const firstSeed = Number(values.seed)
// A refused call is an everyday thing here, and its stack costs more than the call.
Error.stackTraceLimit = 0
let on = await openSimulated()
const findings = new Map<string, { seed: number; count: number; trace: readonly string[] }>()
const begun = performance.now()
let run = 0
for (; run < schedules && findings.size < Number(values['stop-after']); run += 1) {
  const seed = firstSeed + run
  if (run > 0 && run % FRESH_AFTER === 0) {
    await on.close()
    on = await openSimulated()
  }
  const finding = await runNamed(on, faultsOf(seed), seededChoices(seed))
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
  await runNamed(on, faultsOf(seed), choices)
  let smallest: Finding | null = null
  await shrink(choices.taken, async (given) => {
    const finding = await runNamed(on, faultsOf(seed), givenChoices(given))
    if (finding?.promise !== promise) return false
    smallest = finding
    return true
  })
  console.log(`\n${promise} (seed ${seed}, ${count} times)`)
  for (const line of (smallest as Finding | null)?.trace ?? trace) console.log(`  ${line}`)
}
await on.close()
process.exitCode = findings.size === 0 ? 0 : 1
