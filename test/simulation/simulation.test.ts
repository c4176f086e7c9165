import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ALL_ATTACK_FAULTS, costOfStop, runAttackSchedule } from './attack-schedule.ts'
import { ALL_CHANNEL_FAULTS, runChannelSchedule } from './channel-schedule.ts'
import { type ChannelSimulation, openChannelSimulation } from './channel-world.ts'
import { type Choices, givenChoices, seededChoices, shrink } from './choices.ts'
import { ALL_CLAIMS_FAULTS, openClaimsSimulation, runClaimsSchedule } from './claims-schedule.ts'
import type { Finding } from './finding.ts'
import { ALL_RECOVERY_FAULTS, runRecoverySchedule } from './recovery-schedule.ts'
import { openRecoveryStore, type RecoveryStore } from './recovery-world.ts'
import { ALL_FAULTS } from './sale-faults.ts'
import { runSaleTrials } from './sale-trials.ts'
import { runSchedule } from './schedule.ts'
import { faultsNamed, ONCE_BROKEN, ONCE_BROKEN_SETTLING } from './searches.ts'
import { openSimulatedService, type SimulatedService } from './service.ts'
import { ALL_SETTLEMENT_FAULTS, runSettlementSchedule } from './settlement-schedule.ts'
import { openSettlementSimulation, type SettlementSimulation } from './settlement-world.ts'

/** `.ci/run` runs 20,000 more, and any number is run by hand: `npm run simulate -- --schedules 1000000 --seed 1`. */
const SCHEDULES = 200
/** Each signs some ten transactions and payments. */
const SETTLEMENT_SCHEDULES = 100
const ATTACKS = 40
/** Ends what hangs; a loaded machine takes many times longer than an idle one. */
const HANGING_MS = 900_000

/** What breaks in so many schedules, each with its seed. */
async function findingsIn(
  count: number,
  run: (choices: Choices) => Promise<Finding | null>,
  first = 1,
): Promise<readonly (Finding & { readonly seed: number })[]> {
  const findings: (Finding & { readonly seed: number })[] = []
  for (let seed = first; seed < first + count; seed += 1) {
    const finding = await run(seededChoices(seed))
    if (finding !== null) findings.push({ seed, ...finding })
  }
  return findings
}

let service: SimulatedService
beforeAll(async () => {
  service = await openSimulatedService(2)
})
afterAll(() => service.close())

describe('the sale under any schedule', () => {
  test.each([1, 2, 3])(
    'keeps what its answers promise (part %i)',
    async (part) => {
      const findings = await findingsIn(
        SCHEDULES,
        (choices) => runSchedule(service, choices, ALL_FAULTS),
        part * 10_000,
      )
      expect(findings).toEqual([])
    },
    HANGING_MS,
  )

  test.each(ONCE_BROKEN)('keeps them in the schedule that once broke one: %s, %i', async (faults, seed) => {
    expect(await runSchedule(service, seededChoices(seed), faultsNamed(faults))).toBeNull()
  })

  test.each([1, 2, 3])('keeps them in every trial, too (%i)', async (seed) => {
    expect(await runSaleTrials(service, seededChoices(seed), { isEvery: true })).toBeNull()
  })

  test('is the same for the same seed', async () => {
    const [one, other] = [seededChoices(7), seededChoices(7)]
    const plain = { steps: 40, store: true, crashes: true } as const
    expect(await runSchedule(service, one, plain)).toEqual(await runSchedule(service, other, plain))
    expect(one.taken).toEqual(other.taken)
    expect((await runSchedule(service, givenChoices(one.taken), plain))?.promise).toBeUndefined()
  })
})

describe('a payment channel under any schedule', () => {
  let simulation: ChannelSimulation
  beforeAll(async () => {
    simulation = await openChannelSimulation()
  })
  afterAll(() => simulation.close())

  test(
    'keeps what its answers promise',
    async () => {
      const findings = await findingsIn(SCHEDULES, (choices) =>
        runChannelSchedule(simulation, choices, ALL_CHANNEL_FAULTS),
      )
      expect(findings).toEqual([])
    },
    HANGING_MS,
  )

  test('is the same for the same seed', async () => {
    const [one, other] = [seededChoices(7), seededChoices(7)]
    await runChannelSchedule(simulation, one, ALL_CHANNEL_FAULTS)
    await runChannelSchedule(simulation, other, ALL_CHANNEL_FAULTS)
    expect(one.taken).toEqual(other.taken)
  })
})

test(
  'claims of many channels take what is charged, and each failure is reported',
  async () => {
    const claims = await openClaimsSimulation()
    const findings = await findingsIn(SCHEDULES, (choices) =>
      runClaimsSchedule(claims, choices, ALL_CLAIMS_FAULTS),
    )
    await claims.close()
    expect(findings).toEqual([])
  },
  HANGING_MS,
)

describe('the recovery under any schedule', () => {
  let store: RecoveryStore
  beforeAll(async () => {
    store = await openRecoveryStore()
  })
  afterAll(() => store.close())

  test(
    'writes down what the chain says, and leaves no row without an end',
    async () => {
      const findings = await findingsIn(SCHEDULES, (choices) =>
        runRecoverySchedule(store, choices, ALL_RECOVERY_FAULTS),
      )
      expect(findings).toEqual([])
    },
    HANGING_MS,
  )

  test('is the same for the same seed', async () => {
    const [one, other] = [seededChoices(7), seededChoices(7)]
    await runRecoverySchedule(store, one, ALL_RECOVERY_FAULTS)
    await runRecoverySchedule(store, other, ALL_RECOVERY_FAULTS)
    expect(one.taken).toEqual(other.taken)
  })
})

describe('settlements by the service itself, under any schedule', () => {
  let simulation: SettlementSimulation
  beforeAll(async () => {
    simulation = await openSettlementSimulation()
  })
  afterAll(() => simulation.close())

  test(
    'keep what their answers promise, and the books and the daily loss limit',
    async () => {
      const findings = await findingsIn(SETTLEMENT_SCHEDULES, (choices) =>
        runSettlementSchedule(simulation, choices, ALL_SETTLEMENT_FAULTS),
      )
      expect(findings).toEqual([])
    },
    HANGING_MS,
  )

  test.each(ONCE_BROKEN_SETTLING)('keep them in the schedule that once broke one: %i', async (seed) => {
    expect(await runSettlementSchedule(simulation, seededChoices(seed), ALL_SETTLEMENT_FAULTS)).toBeNull()
  })

  test(
    'keep those who have paid beside a stranger who burns gas, and end a stop for new payers with the day',
    async () => {
      const findings = await findingsIn(ATTACKS, (choices) =>
        runAttackSchedule(simulation, choices, ALL_ATTACK_FAULTS),
      )
      expect(findings).toEqual([])
    },
    HANGING_MS,
  )

  test(
    'cost a stranger who stops new payers a fifth of what a day may lose',
    async () => {
      const lossLimit = 480_000n
      const { cost, leftOfSale } = await costOfStop(simulation, lossLimit)
      expect(Number(cost) / Number(lossLimit)).toBeCloseTo(0.22, 2)
      expect(Number(cost / leftOfSale)).toBeGreaterThan(0.096 * 7_400)
    },
    HANGING_MS,
  )

  test('are the same for the same seed', async () => {
    const [one, other] = [seededChoices(7), seededChoices(7)]
    await runSettlementSchedule(simulation, one, ALL_SETTLEMENT_FAULTS)
    await runSettlementSchedule(simulation, other, ALL_SETTLEMENT_FAULTS)
    expect(one.taken).toEqual(other.taken)
  })
})

test('a schedule is shrunk to what makes it fail', async () => {
  const fails = async (choices: readonly number[]) => choices.filter((choice) => choice === 3).length >= 2
  expect(await shrink([1, 3, 0, 2, 3, 3, 5], fails)).toEqual([3, 3])
})
