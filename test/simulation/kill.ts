// Looks for a broken promise, or a step that the model does not know, and exits with 1 at the first one found.
import { graphOf } from '../../model/explore.ts'
import { pathsOver } from '../../model/paths.ts'
import type { Scenario } from '../../model/scenario.ts'
import { CODE_CORRECTIONS } from '../model/code-corrections.ts'
import { replay } from '../model/replay.ts'
import { seededChoices } from './choices.ts'
import { type Faults, runSchedule } from './schedule.ts'
import { openSimulatedService } from './service.ts'

const PATHS = 250
const SCHEDULES = 60
const two = {
  corrections: CODE_CORRECTIONS,
  replicas: 2,
  crashes: 0,
  leases: 1,
  lastPhase: 0,
  name: '',
} as const

const GRAPHS: readonly Scenario[] = [
  { ...two, arrivals: { same: 1, other: 1 }, sends: 1 },
  { ...two, arrivals: { same: 1 }, sends: 2, storeFaults: 1, leases: 0 },
  {
    ...two,
    arrivals: { same: 2 },
    leases: 0,
    replies: ['settled', 'unknown', 'word', 'word_lie', 'unreached', 'refused'],
  },
  { ...two, arrivals: { same: 1 }, loops: 1, lastPhase: 1 },
  { ...two, arrivals: { pay1: 1, pay2: 1 }, sends: 1 },
  { ...two, arrivals: { same: 2 }, sends: 1, powerLosses: 1 },
]

const PROFILES: readonly Omit<Faults, 'steps'>[] = [
  {},
  { newSignatures: true },
  { rivals: true, crashes: true },
  { rivals: true, store: true },
  { tasks: true, word: true },
  { longWaits: true },
  { strangers: true },
  { elsewhere: true, crashes: true },
  { store: true, crashes: true, node: true },
  { power: true, newSignatures: true },
]

async function find(): Promise<string | null> {
  const service = await openSimulatedService(2)
  for (const scenario of GRAPHS) {
    const graph = graphOf(scenario)
    const paths = pathsOver(graph)
    const every = Math.max(1, Math.floor(paths.length / PATHS))
    for (let index = 0; index < paths.length; index += every) {
      try {
        await replay(service, graph.nodes, paths[index] ?? [])
      } catch (error) {
        return `model: ${(error as Error).message.split('\n')[0]}`
      }
    }
  }
  for (const profile of PROFILES)
    for (let seed = 1; seed <= SCHEDULES; seed += 1) {
      const finding = await runSchedule(service, seededChoices(seed), { steps: 70, ...profile })
      if (finding !== null) return `simulation: ${finding.promise}`
    }
  return null
}

process.on('uncaughtException', (error) => {
  console.log(`defect: ${error.message}`)
  process.exit(1)
})
const found = await find()
console.log(found ?? 'nothing found')
process.exit(found === null ? 0 : 1)
