// Plants one seeded bug in the code that this process loads, and prints the first thing that model or simulation finds:
// node test/simulation/kill.ts 71 [quick, or a look as JSON]
import { MUTANTS } from './mutants.ts'
import { plant } from './plant.ts'
import type { Kill, Look } from './searches.ts'

// A refused call is an everyday thing here, and its stack costs more than the call.
Error.stackTraceLimit = 0
const [, , number = '', only] = process.argv
const mutant = MUTANTS[Number(number) - 1]
if (mutant !== undefined) plant(mutant)

let at: Look | undefined
const say = (kill: Kill | null): void => {
  console.log(JSON.stringify(kill))
  process.exit(0)
}
process.on('uncaughtException', (error) => {
  if (at === undefined) throw error
  say({ ...at, found: `a defect: ${error.message.split('\n')[0]}` })
})

const { channelLooks, look, looks, openSimulated } = await import('./searches.ts')
/** Schedules of one store: its rows stay, and each look over them takes longer. */
const FRESH_AFTER = 500
let on = await openSimulated()
let done = 0
const isWhole = only === undefined || only === 'quick'
const whole = () =>
  mutant !== undefined && /channel/.test(mutant.file) ? channelLooks() : looks(only === 'quick')
for (const where of isWhole ? whole() : [JSON.parse(only) as Look]) {
  if (done > 0 && done % FRESH_AFTER === 0) {
    await on.close()
    on = await openSimulated()
  }
  done += 1
  at = where
  const found = await look(on, where)
  if (found !== null) say({ ...where, found })
}
say(null)
