import { flushed, isCharged, isValid } from './change.ts'
import { processMoves } from './process-steps.ts'
import { arrive } from './request-steps.ts'
import type { Kind, Row, State } from './sale-state.ts'
import type { Scenario } from './scenario.ts'
import { remembered } from './search.ts'
import { crash } from './world-steps.ts'

const HEALED_STEPS = 60

/** What is wrong with a state; null when nothing is. `healed` remembers the states whose healing was tried before. */
export function violation(
  scenario: Scenario,
  state: State,
  healed: Map<string, string | null>,
): string | null {
  if (state.fault !== null) return state.fault
  return (
    voidViolation(state) ??
    shownViolation(scenario, state) ??
    twiceViolation(state) ??
    healViolation(scenario, state, healed)
  )
}

function voidViolation(state: State): string | null {
  const isWrong = ([0, 1] as const).some((auth) => {
    const row = state.rows[auth]
    const { use, air } = state.chains[auth]
    if (row?.state !== 'void' || row.usedBefore) return false
    return isCharged(state, auth) || (use === 'unused' && air && isValid(state, auth))
  })
  return isWrong ? 'a void row was charged, or can still be' : null
}

/** Distinct verdicts a buyer can see never exceed the charges behind them. */
function shownViolation({ corrections }: Scenario, state: State): string | null {
  const tasks = state.tasks.flatMap((auth, index) => {
    if (auth === null) return []
    const row = state.rows[auth]
    if (row?.state !== 'settled') return []
    const isItsOwn = row.task === index + 1
    return corrections.has('task-shows-its-own-sale') && !isItsOwn
      ? []
      : [`${auth}t${index === 0 ? 'v' : 'w'}`]
  })
  const visible = new Set([...state.shown.map(plain), ...tasks.map(plain)])
  const charges = state.chains.filter(({ use }) => use === 'paid').length
  return visible.size > charges ? 'more verdicts are shown than were paid for' : null
}

const plain = (shown: string): string => shown.replace('t', '')

/** One call that was signed for twice, since the first seemed lost, is charged once. */
const twiceViolation = (state: State): string | null =>
  state.overlapped && isCharged(state, 0) && isCharged(state, 1) ? 'one call was charged twice' : null

/** After all faults end: a charge is answered to a repeat, and every row comes to a definite end. */
function healViolation(scenario: Scenario, state: State, healed: Map<string, string | null>): string | null {
  const row = state.rows[0]
  if (state.chains[0].use !== 'paid' && row === null) return null
  const calm = calmed(state)
  const key = JSON.stringify([calm.rows, calm.chains, calm.tasks, calm.phase, calm.termsChanged])
  return remembered(healed, key, () => repeatViolation(scenario, calm) ?? openEndViolation(scenario, calm))
}

/** The same world after every process was started again: no faults any more, and every lease is over. */
function calmed(state: State): State {
  const crashed = state.processes.reduce<State>((next, _, index) => crash(next, index), flushed(state))
  const [one, other] = state.chains
  const chains = [
    { ...one, deep: true },
    { ...other, deep: true },
  ] as const
  const left = { ...state.left, storeFaults: 0, crashes: 0, powerLosses: 0, sends: 3, loops: 3 }
  return {
    ...crashed,
    chains,
    clock: state.clock + 1,
    nodeStands: false,
    left,
    denied: [false, false],
    overlapped: false,
    shown: [],
  }
}

function repeatViolation(scenario: Scenario, state: State): string | null {
  const row = state.rows[0]
  const isKept = state.phase < 2 || (state.phase === 2 && row?.delivered !== true)
  // What a backup took away is owed an answer too.
  const canLose = scenario.backups === true || scenario.powerLosses !== undefined
  const lost = row === null && canLose && state.chains[0].sent
  if (
    !isCharged(state, 0) ||
    !isKept ||
    (row !== null && !hasReachedSettling(row)) ||
    (row === null && !lost)
  )
    return null
  const ended = runToEnd(scenario, state, repeatOf(row))
  if (ended.fault !== null) return ended.fault
  return ended.shown.length > 0 ? null : 'a charge is not answered to a repeat'
}

const hasReachedSettling = (row: Row): boolean => row.restored || row.tries > 0

/** The request that the row was claimed for. */
function repeatOf(row: Row | null): Kind {
  if (row?.task === 2) return 'pay2'
  if (row?.task === 1) return row.asks === 'v' ? 'pay1' : 'pay2'
  return row?.asks === 'w' ? 'other' : 'same'
}

/** Runs requests one after another, without faults, until the buyer has a verdict or no request helps any more. */
function runToEnd(scenario: Scenario, state: State, kind: Kind): State {
  let now = request(scenario, state, kind)
  for (let round = 0; round < 4 && now.shown.length === 0 && now.fault === null; round += 1)
    now = request(scenario, now, kind)
  const silenced = now.rows[0]?.strange === true && scenario.corrections.has('strangers-cannot-lock-out')
  if (now.shown.length > 0 || now.fault !== null || !silenced) return now
  // The stranger keeps the row silent; "sign again" says that a new signature is answered without a charge.
  const again = request(
    scenario,
    { ...now, chains: [now.chains[0], { ...now.chains[1], use: 'unused' }] },
    'again',
  )
  return again.chains[1].sent ? { ...again, shown: [] } : again
}

function request(scenario: Scenario, state: State, kind: Kind): State {
  let now = arrive(scenario, { ...state, clock: state.clock + 1 }, 0, kind)
  for (let step = 0; step < HEALED_STEPS && now.processes[0] != null && now.fault === null; step += 1) {
    const moves = processMoves({ ...scenario, replies: ['settled', 'unknown'] }, now, 0)
    const best = moves.find(([action]) => action.endsWith('reply settled')) ?? moves[0]
    if (best === undefined) break
    now = best[1]
  }
  return now
}

/**
 * Once the authorization has expired, the loop brings every row that was sent to an end; one whose payment is older than
 * its claim a day later.
 */
function openEndViolation(scenario: Scenario, state: State): string | null {
  const isOlder = state.rows[0]?.usedBefore === true
  const expired: State = { ...state, phase: isOlder ? 3 : state.phase === 0 ? 1 : state.phase }
  const chains = expired.chains.map((chain) => ({ ...chain, air: false, deep: true })) as [
    State['chains'][0],
    State['chains'][1],
  ]
  let now: State = { ...expired, chains }
  for (let round = 0; round < 2; round += 1) now = request(scenario, now, 'loop')
  const state0 = now.rows[0]?.state
  return state0 === 'in_doubt' || state0 === 'settling' || state0 === 'refused'
    ? `a row stays ${state0} forever`
    : null
}
