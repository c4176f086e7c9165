import { remembered } from '../search.ts'
import { claimable } from './change.ts'
import { arrive, crash, mine, processMoves } from './channel.ts'
import { CALLS, type CallKind, type ChannelScenario, type Row, type State } from './channel-state.ts'

/** What is wrong with a state; null when nothing is. `healed` remembers the states whose healing was tried before. */
export const violation = (
  scenario: ChannelScenario,
  state: State,
  healed: Map<string, string | null>,
): string | null =>
  state.fault ??
  answerViolation(state) ??
  moneyViolation(scenario, state) ??
  healViolation(scenario, state, healed)

/** Every answer was charged first. */
function answerViolation({ answers, row }: State): string | null {
  const highest = Math.max(0, ...answers.map((answer) => Number(answer[0])))
  return highest > (row?.charged ?? 0) ? 'an answer was not charged' : null
}

/** What is charged can be claimed, in each order of mining; and no more is claimed than the payer has signed. */
function moneyViolation(_: ChannelScenario, state: State): string | null {
  const { chain, row, signed } = state
  if (chain.claimed > signed) return 'more was claimed than the payer has signed for'
  if (row === null || row.charged <= chain.claimed) return null
  const worst = chain.air.filter(({ what }) => what === 'refund').reduce((now, air) => mine(now, air), state)
  return row.charged > worst.chain.balance ? 'a call was sold on money that is paid back' : null
}

/**
 * After every fault has ended: the payer's last call is answered, unless it leaves, or its money is gone back to it; and
 * one look of the loop later everything charged can be claimed.
 */
function healViolation(
  scenario: ChannelScenario,
  state: State,
  healed: Map<string, string | null>,
): string | null {
  if (state.signed === 0) return null
  const calm = calmed(state)
  const key = JSON.stringify([calm.row, calm.deposits, calm.chain, calm.answers, calm.signed])
  return remembered(healed, key, () => liveViolation(scenario, calm) ?? claimViolation(scenario, calm))
}

/** The same world after every process was started again: nothing fails any more, and every lease is over. */
function calmed(state: State): State {
  const stopped = state.processes.reduce<State>((now, _, index) => crash(now, index), state)
  const arrivals = {
    ...{ first: 9, again: 9, other: 9, next: 9, nextOther: 9 },
    topUp: 9,
    maintain: 9,
    claim: 9,
    refund: 9,
  }
  return {
    ...stopped,
    clock: stopped.clock + 1,
    standing: null,
    left: { arrivals, crashes: 0, storeFaults: 0, leases: 0 },
  }
}

/** The newest voucher, sent again and again, comes to a definite answer; a charge to the verdict. */
function liveViolation(scenario: ChannelScenario, state: State): string | null {
  const charged = state.row?.charged ?? 0
  const kind = newest(state)
  const ended = insist(scenario, state, kind)
  if (ended.fault !== null) return ended.fault
  if (charged === CALLS[kind].amount && ended.said !== 'verdict')
    return 'a charge is not answered to a repeat'
  const definite = ['verdict', 'used', 'behind', 'closing']
  const { deposit, amount } = CALLS[kind]
  if (ended.said === 'behind' && deposit !== null && amount === charged + 1) {
    // The money went back to the payer: another deposit goes on.
    const again = amount === 2 ? null : insist(scenario, ended, deposit === 0 ? 'again' : 'first')
    if (again !== null && again.fault === null && again.said !== 'verdict')
      return `a channel is bricked: ${again.said} after another deposit`
  }
  return definite.includes(ended.said ?? '') ? null : `a channel is bricked: ${ended.said}`
}

function newest({ row, signed, deposits }: State): CallKind {
  const isToppedUp = signed >= 2 && deposits[1] !== null && row?.charged !== 2
  if (isToppedUp) return 'topUp'
  if (signed < 2 && deposits[1] !== null && row === null) return 'again'
  if (signed >= 2) return row?.charged === 2 && row.body === 'w' ? 'nextOther' : 'next'
  return row?.charged === 1 && row.body === 'w' ? 'other' : 'first'
}

function insist(scenario: ChannelScenario, state: State, kind: CallKind): State {
  let now = state
  for (let tries = 0; tries < 4; tries += 1) {
    now = run(scenario, arrive(scenario, { ...now, clock: now.clock + 1, said: null }, 0, kind))
    if (now.fault !== null || !['in doubt', 'unavailable', 'store'].includes(now.said ?? '')) return now
    if (tries === 2) now = expired(now)
  }
  return now
}

/** Time goes by until no deposit that was signed can be mined any more; the payer signs new ones. */
function expired(state: State): State {
  const [one, other] = state.deposits.map((each, auth) =>
    each?.state === 'sending' && state.chain.used[auth as 0 | 1] !== true ? null : each,
  )
  const air = state.chain.air.filter(({ what }) => what !== 'deposit')
  return { ...state, deposits: [one ?? null, other ?? null], chain: { ...state.chain, air } }
}

/** One process alone, until it has answered; its settlements are mined and said to be. */
function run(scenario: ChannelScenario, state: State): State {
  let now = state
  for (let step = 0; step < 60 && now.processes[0] != null && now.fault === null; step += 1) {
    const moves = processMoves({ ...scenario, replies: ['mined'] }, now, 0)
    const [move] = moves
    if (move === undefined) break
    now = move[1]
  }
  return now
}

function claimViolation(scenario: ChannelScenario, state: State): string | null {
  const due = run(scenario, arrive(scenario, { ...state, said: null }, 0, 'claim'))
  if (due.fault !== null) return due.fault
  const row = due.row as Row | null
  if (row === null) return null
  return claimable(row) > due.chain.claimed ? 'what is charged cannot be claimed' : null
}
