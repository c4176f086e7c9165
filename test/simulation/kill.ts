// Prints the first thing that the simulator finds wrong in the code as it is, null for nothing:
// node test/simulation/kill.ts [settlements, or one look as JSON]. `npm run mutate` runs it beside a planted bug.
import { type Kill, type Look, look, looks, openSimulated, settlingLooks } from './searches.ts'

// A refused call is an everyday thing here, and its stack costs more than the call.
Error.stackTraceLimit = 0
const [, , only] = process.argv

let at: Look | undefined
const say = (kill: Kill | null): void => {
  console.log(JSON.stringify(kill))
  process.exit(0)
}
process.on('uncaughtException', (error) => {
  if (at === undefined) throw error
  say({ ...at, found: `a defect: ${error.message.split('\n')[0]}` })
})

/** Looks at one store: its rows stay, and each look over them takes longer. */
const FRESH_AFTER = 500
let on = await openSimulated()
let done = 0
const all =
  only === undefined ? looks() : only === 'settlements' ? settlingLooks() : [JSON.parse(only) as Look]
for (const where of all) {
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
