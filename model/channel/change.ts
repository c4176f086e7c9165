import type { Chain, ChannelScenario, Deposit, Pending, Process, Row, State, View } from './channel-state.ts'
import type { Rule } from './rules.ts'

export const has = ({ without = [] }: ChannelScenario, rule: Rule): boolean => !without.includes(rule)

export const withProcess = (state: State, index: number, process: Process | null): State => ({
  ...state,
  processes: state.processes.map((each, other) => (other === index ? process : each)),
})

/** The process's next visible step. */
export const go = (state: State, index: number, at: Pending, change: Partial<Process> = {}): State =>
  withProcess(state, index, { ...(state.processes[index] as Process), ...change, at })

export const set = (state: State, index: number, change: Partial<Process>): State =>
  withProcess(state, index, { ...(state.processes[index] as Process), ...change })

/** The request is answered and its process idle. */
export const say = (state: State, index: number, said: string): State => ({
  ...withProcess(state, index, null),
  said,
})

export const withDeposit = (state: State, auth: 0 | 1, deposit: Deposit | null): State => ({
  ...state,
  deposits: auth === 0 ? [deposit, state.deposits[1]] : [state.deposits[0], deposit],
})

export const withChain = (state: State, change: Partial<Chain>): State => ({
  ...state,
  chain: { ...state.chain, ...change },
})

export const wrong = (state: State, fault: string): State =>
  state.fault === null ? { ...state, fault } : state

/** What a node shows of the contract. */
export const shownBy = ({ standing, chain }: State): View => {
  const { balance, claimed, nonce, leaving } = standing?.isAsked === true ? standing.view : chain
  return { balance, claimed, nonce, leaving }
}

export const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

export const sameView = (one: View, other: View): boolean =>
  one.balance === other.balance &&
  one.claimed === other.claimed &&
  one.nonce === other.nonce &&
  one.leaving === other.leaving

/** A refund that is signed may be mined until its nonce has been used. */
export const refundingNow = (row: Row | null, view: View): number =>
  row !== null && row.refunding > 0 && view.nonce === row.nonce ? row.refunding : 0

/** Claims and refunds never go back. */
export const isOlder = (scenario: ChannelScenario, row: Row, view: View): boolean =>
  has(scenario, 'old-state-is-ignored') && (view.claimed < row.claimed || view.nonce < row.nonce)

export const claimable = (row: Row): number => (row.charged < row.balance ? row.charged : row.balance)
