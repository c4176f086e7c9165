/**
 * `GET /stats.json`: public counts of paid checks, without money or payers.
 *
 * Payments are public on the chain with their time, so a count that moved with each one would tell who checked what.
 * Three rules together prevent that. Counts are rounded down to a multiple of five, and fewer than five are hidden, on
 * every line and on the sums, so that nothing can be subtracted. Only finished days count: an observer who pads a count
 * up to a step does not see the next sale move it. A type is shown only if several payers bought it in the window, so
 * that the padding of one payer cannot single out another.
 */
import type { SendProblem } from '../../http/body/problem.ts'
import { memoize } from '../../http/memoize.ts'
import type { Middleware } from '../../http/middleware.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import type { CountTotal } from '../../ledger/operator-figures.ts'
import { DAY_MS, dayOf, WINDOW_DAYS, windowDays } from '../../ledger/utc-days.ts'
import type { SkillRegistry } from '../../skills/skill.ts'
import { jsonRoute } from './json-route.ts'
import { createShownTypes, LEAST_PAYERS } from './shown-types.ts'

export interface StatsDeps {
  readonly sendProblem: SendProblem
  readonly ledger: Pick<Ledger, 'countTotals' | 'sales'>
  readonly registry: SkillRegistry
  readonly version: string
  readonly sandbox: boolean
  /** When this process started; UTC milliseconds. */
  readonly startedAt: number
  /** UTC milliseconds. */
  readonly now: () => number
}

const LIFE_SECONDS = 60
const RETRY_SECONDS = 5
const STEP = 5
const SURFACES = ['a2a', 'rest', 'mcp']
const NOTE =
  `Paid calls up to yesterday (UTC; a list is one call), rounded down to a multiple of ${STEP}; null means fewer than ${STEP}, ` +
  `or a type that fewer than ${LEAST_PAYERS} wallets bought in the last ${WINDOW_DAYS} days.`
/** Earlier than every count. */
const EARLIEST_DAY = '2000-01-01'

export function statsRoutes(deps: StatsDeps): Middleware {
  const types = deps.registry.all.map(({ id }) => id)
  const shownTypes = createShownTypes(deps.ledger, types)
  const body = memoize(() => readStats(deps, types, shownTypes), LIFE_SECONDS * 1000, deps.now)
  return jsonRoute({
    sendProblem: deps.sendProblem,
    path: '/stats.json',
    cacheControl: `public, max-age=${LIFE_SECONDS}`,
    read: async () => ({ body: await body() }),
    onFailure: (res) =>
      deps.sendProblem(res, 'store_unavailable', { headers: { 'Retry-After': RETRY_SECONDS } }),
  })
}

async function readStats(
  { ledger, registry, version, sandbox, startedAt, now }: StatsDeps,
  types: readonly string[],
  shownTypes: ReturnType<typeof createShownTypes>,
): Promise<string> {
  const at = now()
  const yesterday = dayOf(at - DAY_MS)
  const days = windowDays(at - DAY_MS)
  const [from = yesterday] = days
  const recent = await ledger.countTotals(from, yesterday)
  const ever = await ledger.countTotals(EARLIEST_DAY, yesterday)
  const shown = await shownTypes(days)
  return JSON.stringify({
    service: 'Format Checker',
    version,
    sandbox,
    at: new Date(at).toISOString(),
    startedAt: new Date(startedAt).toISOString(),
    uptimeSeconds: Math.max(0, Math.floor((at - startedAt) / 1000)),
    rulesets: Object.fromEntries(registry.all.map(({ id, ruleset }) => [id, ruleset])),
    note: NOTE,
    recent: { days: WINDOW_DAYS, from, to: yesterday, ...sold(recent, types, shown) },
    total: sold(ever, types, shown),
  })
}

function sold(counts: readonly CountTotal[], types: readonly string[], shown: ReadonlySet<string>) {
  const cells = counts.filter(({ outcome }) => outcome === 'sold')
  const coarse = (part: readonly CountTotal[]) => {
    const sum = part.reduce((total, { count }) => total + count, 0)
    return sum < STEP ? null : sum - (sum % STEP)
  }
  const by = (names: readonly string[], of: (cell: CountTotal) => string | undefined) =>
    Object.fromEntries(names.map((name) => [name, coarse(cells.filter((cell) => of(cell) === name))]))
  return {
    sold: coarse(cells),
    byType: by(types, ({ checkType }) => (shown.has(checkType) ? checkType : undefined)),
    bySurface: by(SURFACES, ({ surface }) => surface),
  }
}
