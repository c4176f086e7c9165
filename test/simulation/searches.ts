import { ALL_ATTACK_FAULTS, runAttackSchedule } from './attack-schedule.ts'
import { ALL_CHANNEL_FAULTS, runChannelSchedule } from './channel-schedule.ts'
import { type ChannelSimulation, openChannelSimulation } from './channel-world.ts'
import { type Choices, seededChoices } from './choices.ts'
import {
  ALL_CLAIMS_FAULTS,
  type ClaimsSimulation,
  openClaimsSimulation,
  runClaimsSchedule,
} from './claims-schedule.ts'
import type { Finding } from './finding.ts'
import { ALL_RECOVERY_FAULTS, runRecoverySchedule } from './recovery-schedule.ts'
import { openRecoveryStore, type RecoveryStore } from './recovery-world.ts'
import { ALL_FAULTS, type Faults, FIRST_FAULTS } from './sale-faults.ts'
import { runSaleTrials } from './sale-trials.ts'
import { runSchedule } from './schedule.ts'
import { openSimulatedService, type SimulatedService } from './service.ts'
import { ALL_SETTLEMENT_FAULTS, runSettlementSchedule } from './settlement-schedule.ts'
import { openSettlementSimulation, type SettlementSimulation } from './settlement-world.ts'

/** One look for a bug: a schedule of the simulator. */
export interface Look {
  readonly by: 'simulation'
  readonly faults: string
  readonly seed: number
}

/** A look that found something, and what that was. */
export type Kill = Look & { readonly found: string }

/** What may fail in a schedule, by the names of the faults; what a bug needs is rarer where everything may fail. */
const PROFILES = [
  '',
  'newSignatures',
  'rivals,crashes',
  'rivals,store',
  'tasks,word',
  'longWaits',
  'strangers',
  'elsewhere,crashes',
  'store,crashes,node',
  'power,newSignatures',
  'pauses,poor',
  'pauses,tasks',
  'longWaits,strangers',
  'tasks,paidTasks',
  'otherCalls,crashes',
  'wallets,tasks',
  'wallets,tasks,slow,away,crashes',
  'slow,away,pauses',
  'differing,slow,away,crashes',
  'all',
  'channel',
  'channel,otherCalls,slow',
  'channel,store,crashes',
  'channel,slow,node',
  'channel,slow,leaving,node',
  'channel,all',
  'channel,obstacles',
  'channel,trials',
  'claims',
  'claims,bad',
  'claims,node,replies',
  'claims,all',
  'recovery',
  'recovery,node',
  'recovery,behind,reorganisations',
  'recovery,store,stops,meanwhile',
  'recovery,all',
] as const

/** The same for settlements by the service itself. */
const SETTLING = [
  '',
  'node,slow',
  'store,crashes',
  'behind,reorganisations',
  'foreign,crashes',
  'lockLost,store',
  'prices,poor',
  'sync,node',
  'burners,poor',
  'code,burners',
  'all',
]
  .map((names) => (names === '' ? 'settlement' : `settlement,${names}`))
  .concat(['attack', 'attack,all'])

/** Schedules that once broke a promise; what they need comes once in thousands. */
export const ONCE_BROKEN: readonly (readonly [faults: string, seed: number])[] = [
  ['first', 1829],
  ['first', 1_025_001],
  ['rivals,crashes', 1307],
  ['rivals,store', 1376],
  ['rivals,crashes', 1389],
  ['pauses,poor', 86],
]
export const ONCE_BROKEN_SETTLING = [19, 86, 147, 151]

/** Schedules of each profile: some three hundred in all, and half as many again of channels. */
const SEEDS = 15
/** Each runs every trial of the sale. */
const TRIAL_SEEDS = 3

export function faultsNamed(names: string): Faults {
  if (names === 'all') return ALL_FAULTS
  if (names === 'first') return FIRST_FAULTS
  return { steps: ALL_FAULTS.steps, ...Object.fromEntries(names.split(',').map((name) => [name, true])) }
}

/** The code under simulation: of single sales, and, once asked for, of channels, the recovery and own settlements. */
export interface Simulated {
  readonly sales: SimulatedService
  channels(): Promise<ChannelSimulation>
  claims(): Promise<ClaimsSimulation>
  recoveries(): Promise<RecoveryStore>
  settlements(): Promise<SettlementSimulation>
  close(): Promise<void>
}

export async function openSimulated(): Promise<Simulated> {
  const sales = await openSimulatedService(2)
  let channels: Promise<ChannelSimulation> | undefined
  let claims: Promise<ClaimsSimulation> | undefined
  let recoveries: Promise<RecoveryStore> | undefined
  let settlements: Promise<SettlementSimulation> | undefined
  return {
    sales,
    channels: () => {
      channels ??= openChannelSimulation()
      return channels
    },
    claims: () => {
      claims ??= openClaimsSimulation()
      return claims
    },
    recoveries: () => {
      recoveries ??= openRecoveryStore()
      return recoveries
    },
    settlements: () => {
      settlements ??= openSettlementSimulation()
      return settlements
    },
    close: async () => {
      await sales.close()
      await (await channels)?.close()
      await (await claims)?.close()
      await (await recoveries)?.close()
      await (await settlements)?.close()
    },
  }
}

/** Runs one schedule with the faults that are named; those of a channel, settlement, recovery or trial begin with its name. */
export async function runNamed(on: Simulated, faults: string, choices: Choices): Promise<Finding | null> {
  const [subject, ...names] = faults.split(',')
  const given = <Faults extends { readonly steps: number }>(all: Faults) =>
    names[0] === 'all' ? all : { steps: all.steps, ...Object.fromEntries(names.map((name) => [name, true])) }
  if (subject === 'channel')
    return runChannelSchedule(await on.channels(), choices, given(ALL_CHANNEL_FAULTS))
  if (subject === 'claims') return runClaimsSchedule(await on.claims(), choices, given(ALL_CLAIMS_FAULTS))
  if (subject === 'recovery')
    return runRecoverySchedule(await on.recoveries(), choices, given(ALL_RECOVERY_FAULTS))
  if (subject === 'settlement')
    return runSettlementSchedule(await on.settlements(), choices, given(ALL_SETTLEMENT_FAULTS))
  if (subject === 'attack')
    return runAttackSchedule(await on.settlements(), choices, given(ALL_ATTACK_FAULTS))
  if (subject === 'trials') return runSaleTrials(on.sales, choices, { isEvery: names[0] === 'all' })
  return runSchedule(on.sales, choices, faultsNamed(faults))
}

/** What this look finds wrong; null for nothing. */
export const look = async (on: Simulated, { faults, seed }: Look): Promise<string | null> =>
  (await runNamed(on, faults, seededChoices(seed)))?.promise ?? null

/** Schedules of own settlements, which run through nothing of the sale. */
export function* settlingLooks(): Generator<Look, void> {
  for (const seed of ONCE_BROKEN_SETTLING) yield { by: 'simulation', faults: 'settlement,all', seed }
  for (let seed = 1; seed <= SEEDS; seed += 1)
    for (const faults of SETTLING) yield { by: 'simulation', faults, seed }
}

/** The trials of the sale, then the same schedules for each kind of fault. */
export function* looks(): Generator<Look, void> {
  for (let seed = 1; seed <= TRIAL_SEEDS; seed += 1) yield { by: 'simulation', faults: 'trials,all', seed }
  for (const [faults, seed] of ONCE_BROKEN) yield { by: 'simulation', faults, seed }
  for (const faults of PROFILES)
    for (let seed = 1; seed <= SEEDS; seed += 1) yield { by: 'simulation', faults, seed }
}
