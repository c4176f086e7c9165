/** `GET /status.json`: whether calls can be paid for. It is public, so it names no amount, payer or address. */
import { memoize } from '../../../caches/memoize.ts'
import type { SkillRegistry } from '../../../catalog/skill.ts'
import type { NonEmpty } from '../../../values/non-empty.ts'

/** What can stand in the way of payments, whether it stops all of them, and what the status page says of it. */
export const TROUBLES = {
  store_unavailable: ['paused', 'The store of payments does not answer.'],
  store_full: ['paused', 'The store of payments has no room left.'],
  store_read_only: ['paused', 'The store of payments takes no writes.'],
  chain_unavailable: ['paused', 'The node of the chain does not answer.'],
  chain_wrong: ['paused', 'The node serves another chain.'],
  chain_stalled: ['paused', 'The chain makes no progress.'],
  clock_wrong: ['paused', 'The clock of the service differs from that of the chain.'],
  facilitator_unsupported: ['paused', 'The facilitator does not support the published terms.'],
  settlement_account_empty: ['paused', 'The account that pays for settlements is empty.'],
  settlement_too_expensive: ['paused', 'A settlement costs more than the operator allows.'],
  signer_away: ['paused', 'The process that holds the keys does not answer, or signs no more today.'],
  shutting_down: ['paused', 'This process is shutting down.'],
  daily_loss_reached: [
    'degraded',
    'Settling has cost as much today as the operator allows: new payers wait until midnight UTC.',
  ],
  facilitator_silent: ['degraded', 'The facilitator did not answer when it was last asked.'],
  settlement_account_low: ['degraded', 'The account that pays for settlements runs low.'],
  sold_below_cost: ['degraded', 'A settlement costs more than a call.'],
} as const

export type PaymentTrouble = keyof typeof TROUBLES

export const PAYMENT_TROUBLES = Object.keys(TROUBLES) as readonly PaymentTrouble[]

export const isPausing = (trouble: PaymentTrouble): boolean => TROUBLES[trouble][0] === 'paused'

export interface StatusDeps {
  readonly registry: SkillRegistry
  readonly version: string
  /** Of each network. A rejection counts as a store that does not answer. */
  readonly troubles: () => Promise<NonEmpty<readonly PaymentTrouble[]>>
  /** UTC milliseconds, like `now`. */
  readonly startedAt: number
  readonly now: () => number
}

export interface Status {
  readonly payments: {
    readonly state: 'ok' | 'degraded' | 'paused'
    readonly reasons: readonly PaymentTrouble[]
  }
  readonly version: string
  readonly uptimeSeconds: number
  readonly rulesets: Readonly<Record<string, string>>
}

const LIFE_MS = 2_000

/** Reads the status; the troubles at most once in {@link LIFE_MS}. Never rejects. */
export function statusReader({
  registry,
  version,
  startedAt,
  now,
  troubles,
}: StatusDeps): () => Promise<Status> {
  const recent = memoize(
    () => troubles().catch((): NonEmpty<readonly PaymentTrouble[]> => [['store_unavailable']]),
    LIFE_MS,
    now,
  )
  const rulesets = Object.fromEntries(registry.all.map(({ id, ruleset }) => [id, ruleset]))
  return async () => {
    const found = await recent()
    const reasons = [...new Set(found.flat())]
    const state = found.every((each) => each.some(isPausing))
      ? 'paused'
      : reasons.length > 0
        ? 'degraded'
        : 'ok'
    const uptimeSeconds = Math.max(0, Math.floor((now() - startedAt) / 1000))
    return { payments: { state, reasons }, version, uptimeSeconds, rulesets }
  }
}
