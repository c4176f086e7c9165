/** `GET /status.json`: whether calls can be paid for. It is public, so it names no amount, payer or address. */
import { memoize } from '../../../caches/memoize.ts'
import type { SkillRegistry } from '../../../catalog/skill.ts'
import type { NonEmpty } from '../../../values/non-empty.ts'

/** What can stand in the way of payments, and whether it stops all of them. */
const TROUBLES = {
  store_unavailable: 'paused',
  store_full: 'paused',
  store_read_only: 'paused',
  chain_unavailable: 'paused',
  chain_wrong: 'paused',
  chain_stalled: 'paused',
  clock_wrong: 'paused',
  facilitator_unsupported: 'paused',
  settlement_account_empty: 'paused',
  settlement_too_expensive: 'paused',
  signer_away: 'paused',
  shutting_down: 'paused',
  daily_loss_reached: 'degraded',
  facilitator_silent: 'degraded',
  settlement_account_low: 'degraded',
  sold_below_cost: 'degraded',
} as const

export type PaymentTrouble = keyof typeof TROUBLES

export const PAYMENT_TROUBLES = Object.keys(TROUBLES) as readonly PaymentTrouble[]

export const isPausing = (trouble: PaymentTrouble): boolean => TROUBLES[trouble] === 'paused'

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
