import { moveDeposit } from './call-steps.ts'
import {
  claimable,
  go,
  has,
  isOlder,
  refundingNow,
  same,
  sameView,
  say,
  set,
  shownBy,
  withProcess,
} from './change.ts'
import type { ChannelScenario, Pending, Process, Row, State, View } from './channel-state.ts'

const processOf = (state: State, index: number) => state.processes[index] as Process

type Next = (state: State, index: number) => State

/** The look at the contract that `refreshChannel` makes: a state that is new is written down. */
export function refresh(
  scenario: ChannelScenario,
  state: State,
  index: number,
  [write, next]: readonly [Pending, Next],
): State {
  const row = processOf(state, index).seen as Row
  const view = shownBy(state)
  if (isOlder(scenario, row, view) || sameView(row, view)) return next(state, index)
  return go(state, index, write, { fresh: view })
}

/** Its write; a row that has moved is read again, and the contract after it. */
export function refreshed(
  scenario: ChannelScenario,
  state: State,
  index: number,
  [look, next]: readonly [Pending, Next],
): State {
  const { seen, fresh } = processOf(state, index)
  if (!same(seen, state.row) && has(scenario, 'compare-and-set'))
    return go(state, index, look, { seen: state.row, fresh: null })
  const view = fresh as View
  const row = { ...(seen as Row), ...view, refunding: refundingNow(seen, view) }
  return next(set({ ...state, row }, index, { seen: row, fresh: null }), index)
}

// --- a refund -------------------------------------------------------------------------------------------------------

const freeRefund = (state: State): State => ({ ...state, locks: { ...state.locks, refund: -1 } })
const done = (state: State, index: number, said: string): State => say(freeRefund(state), index, said)

export function askRefund(state: State, index: number): State {
  if (state.row === null) return say(state, index, 'behind')
  if (state.locks.refund === state.clock) return say(state, index, 'in doubt')
  const locked = { ...state, locks: { ...state.locks, refund: state.clock } }
  return go(locked, index, 'refund state', { seen: state.row })
}

/** The row is up to date: what is left is promised to the payer, or a promise is kept. */
export const promiseRefund =
  (scenario: ChannelScenario): Next =>
  (state, index) => {
    const row = processOf(state, index).seen as Row
    if (processOf(state, index).amount !== row.charged) return done(state, index, 'behind')
    if (row.refunding > 0) return go(state, index, 'settle refund')
    if (row.balance - row.charged <= 0) return done(state, index, 'nothing')
    if (row.refunded === row.charged && has(scenario, 'refund-once-a-voucher'))
      return done(state, index, 'refused')
    return go(state, index, 'refund write')
  }

export function writeRefund(state: State, index: number): State {
  const seen = processOf(state, index).seen as Row
  if (!same(seen, state.row)) return go(state, index, 'refund state', { seen: state.row })
  const row = { ...seen, refunding: seen.balance - seen.charged, refunded: seen.charged }
  return go({ ...state, row }, index, 'settle refund', { seen: row })
}

/** A facilitator that said nothing may still send: the lock stays until its lease ends. */
export const refundSettled = (state: State, index: number): State =>
  go(state, index, 'after state', { seen: state.row })

export const endRefund =
  (before: number): Next =>
  (state, index) => {
    const { nonce } = processOf(state, index).seen as Row
    return nonce === before ? say(state, index, 'in doubt') : done(state, index, 'refunded')
  }

// --- the loop -------------------------------------------------------------------------------------------------------

/** A payer who leaves can take its money out after a day: by then the loop has run often. */
const freeLoop = (state: State, index: number): State => {
  const { row, chain } = state
  const isClaimed = row === null || claimable(row) <= chain.claimed
  const isAlone = state.processes.every((process, other) => process === null || other === index)
  const watched = state.watched || (isAlone && processOf(state, index).isIn && chain.leaving && isClaimed)
  return withProcess({ ...state, watched, locks: { ...state.locks, maintain: -1 } }, index, null)
}

/** Deposits whose owner is gone are looked up, one after the other; then the channel is watched. */
export function maintain(state: State, index: number): State {
  const locked = { ...state, locks: { ...state.locks, maintain: state.clock } }
  return maintainFrom(locked, index, 0)
}

function maintainFrom(state: State, index: number, auth: number): State {
  for (const each of [0, 1] as const) {
    const deposit = state.deposits[each]
    if (each < auth || deposit === null || deposit.state !== 'sending') continue
    if (deposit.lease === state.clock || !state.chain.used[each]) continue
    return go(state, index, 'maintain land', { auth: each, seenDeposit: deposit })
  }
  if (state.row === null || state.row.balance === state.row.claimed) return watched(state, index)
  return go(state, index, 'maintain state', { seen: state.row })
}

export function maintainLand(state: State, index: number): State {
  const { auth, seenDeposit } = processOf(state, index)
  return maintainFrom(moveDeposit(state, auth, seenDeposit, 'landed'), index, auth + 1)
}

/** What is charged is claimed if the payer withdraws, or if claims are due. */
export const watched: Next = (state, index) => {
  const { seen, kind } = processOf(state, index)
  const isUrgent = seen?.leaving === true && claimable(seen) > seen.claimed
  if (!isUrgent && kind !== 'claim') return freeLoop(state, index)
  const { row } = state
  if (row === null || row.charged <= row.claimed || row.balance === row.claimed) return freeLoop(state, index)
  return go(state, index, 'claim state', { seen: row })
}

export const claim: Next = (state, index) => {
  const row = processOf(state, index).seen as Row
  return claimable(row) > row.claimed
    ? go(state, index, 'settle claim', { amount: claimable(row) })
    : freeLoop(state, index)
}

export const claimSettled = (state: State, index: number): State =>
  go(state, index, 'claimed state', { seen: state.row })

export const claimed: Next = freeLoop
