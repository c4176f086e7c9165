import * as acts from './act-steps.ts'
import * as calls from './call-steps.ts'
import { same, say, set, withChain, withDeposit, withProcess, wrong } from './change.ts'
import {
  type Air,
  CALLS,
  type Chain,
  type ChannelScenario,
  CRASHED,
  DEPOSIT,
  isCall,
  type Kind,
  type Pending,
  type Process,
  type Reply,
  type Row,
  type State,
} from './channel-state.ts'

export type Move = readonly [action: string, state: State]

/** Every move from a state. A state with a fault has none. */
export const next = (scenario: ChannelScenario, state: State): readonly Move[] =>
  state.fault !== null
    ? []
    : [
        ...state.processes.flatMap((_, index) => processMoves(scenario, { ...state, said: null }, index)),
        ...worldMoves(scenario, { ...state, said: null }),
      ]

const WRITES: readonly Pending[] = [
  ...([
    'write',
    'claim deposit',
    'unclaim deposit',
    'lease deposit',
    'land rival',
    'land deposit',
    'land earlier',
    'release deposit',
  ] as const),
  ...(['refund refresh', 'refund write', 'after refresh', 'maintain land', 'maintain refresh'] as const),
  ...(['claim refresh', 'claimed refresh'] as const),
]

export function processMoves(scenario: ChannelScenario, state: State, index: number): Move[] {
  const process = state.processes[index]
  if (process == null) return []
  const { at } = process
  if (at.startsWith('settle')) return settlements(scenario, state, index, process)
  const done = step(scenario, state, index)
  const moves: Move[] = [[`${index} ${at}`, done]]
  if (!WRITES.includes(at) || state.left.storeFaults === 0) return moves
  const left = { ...state.left, storeFaults: state.left.storeFaults - 1 }
  const end = (after: State): State => {
    // A charge may have been written, or a deposit was sent.
    const saying = ['write', 'land deposit', 'release deposit'].includes(at) ? 'in doubt' : 'store'
    const ended = say({ ...after, answers: state.answers, fault: null, left }, index, saying)
    const locks =
      isCall(process.kind) || process.kind === 'refund' ? ended.locks : { ...ended.locks, maintain: -1 }
    return { ...ended, locks, said: isCall(process.kind) || process.kind === 'refund' ? saying : null }
  }
  // A store that fails after the write, too: what was written stays, and the process hears only of the failure.
  return [
    ...moves,
    [`${index} ${at} !before`, end(state)],
    [`${index} ${at} !after`, end(writeOf(state, done))],
  ]
}

/** Of a step what the store has of it. */
const writeOf = (before: State, { row, deposits }: State): State => ({ ...before, row, deposits })

function step(scenario: ChannelScenario, state: State, index: number): State {
  const process = state.processes[index] as Process
  const { at } = process
  const onward = acts.promiseRefund(scenario)
  switch (at) {
    case 'state':
      return calls.stateRead(scenario, state, index)
    case 'write':
      return calls.write(scenario, state, index)
    case 'earlier state':
      return calls.earlierRead(scenario, state, index)
    case 'claim deposit':
      return calls.claimDeposit(scenario, state, index)
    case 'rival state':
      return calls.rivalRead(state, index)
    case 'land rival':
      return calls.landRival(state, index)
    case 'unclaim deposit':
      return calls.unclaimDeposit(state, index)
    case 'lease deposit':
      return calls.leaseDeposit(state, index)
    case 'land deposit':
    case 'land earlier':
      return calls.landDeposit(state, index)
    case 'release deposit':
      return calls.releaseDeposit(state, index)
    case 'refund state':
      return acts.refresh(scenario, state, index, ['refund refresh', onward])
    case 'refund refresh':
      return acts.refreshed(scenario, state, index, ['refund state', onward])
    case 'refund write':
      return acts.writeRefund(state, index)
    case 'after state':
      return acts.refresh(scenario, state, index, ['after refresh', acts.endRefund(process.amount)])
    case 'after refresh':
      return acts.refreshed(scenario, state, index, ['after state', acts.endRefund(process.amount)])
    case 'maintain land':
      return acts.maintainLand(state, index)
    case 'maintain state':
      return acts.refresh(scenario, state, index, ['maintain refresh', acts.watched])
    case 'maintain refresh':
      return acts.refreshed(scenario, state, index, ['maintain state', acts.watched])
    case 'claim state':
      return acts.refresh(scenario, state, index, ['claim refresh', acts.claim])
    case 'claim refresh':
      return acts.refreshed(scenario, state, index, ['claim state', acts.claim])
    case 'claimed state':
      return acts.refresh(scenario, state, index, ['claimed refresh', acts.claimed])
    case 'claimed refresh':
      return acts.refreshed(scenario, state, index, ['claimed state', acts.claimed])
    default:
      throw new Error(`no step ${at}`)
  }
}

// --- the facilitator and the contract -------------------------------------------------------------------------------

const UNDER_LEASE = /^(?:settle|claim deposit|lease deposit)/
const REPLIES: readonly Reply[] = ['mined', 'silent mined', 'silent air']

function settlements(scenario: ChannelScenario, state: State, index: number, process: Process): Move[] {
  const { at } = process
  const air = airOf(process)
  return (scenario.replies ?? REPLIES).map((reply): Move => {
    const sent = reply.endsWith('mined')
      ? mine(state, air)
      : withChain(state, { air: added(state.chain, air) })
    const saysMined = reply === 'mined' || reply === 'lie air'
    const onward =
      at === 'settle deposit'
        ? calls.depositSettled(scenario, sent, index, saysMined)
        : at === 'settle refund'
          ? set(acts.refundSettled(sent, index), index, { amount: (process.seen as Row).nonce })
          : acts.claimSettled(sent, index)
    return [`${index} ${at} ${reply}`, onward]
  })
}

function airOf({ at, auth, seen, amount }: Process): Air {
  const row = seen as Row
  if (at === 'settle deposit') return { what: 'deposit', auth }
  if (at === 'settle claim') return { what: 'claim', amount }
  return { what: 'refund', nonce: row.nonce, amount: row.refunding, claim: row.charged }
}

const added = ({ air }: Chain, each: Air): readonly Air[] =>
  air.some((other) => same(other, each)) ? air : [...air, each]

/** Mines a transaction by the rules of the contract; one that reverts changes nothing. */
export function mine(state: State, air: Air): State {
  const rest = state.chain.air.filter((each) => !same(each, air))
  const now = withChain(state, { air: rest })
  const { balance, claimed, nonce, leaving, used } = now.chain
  switch (air.what) {
    case 'deposit': {
      if (used[air.auth]) return now
      const taken = air.auth === 0 ? ([true, used[1]] as const) : ([used[0], true] as const)
      // Each of two calls may bring its deposit, and so may a payer who has taken the first one out.
      const both = taken[0] && taken[1] && !Object.hasOwn(now.left.arrivals, 'topUp') && !now.gone
      const next = withChain(now, { used: taken, balance: balance + DEPOSIT })
      return both ? wrong(next, 'two deposits were taken for one call') : next
    }
    case 'claim':
      return air.amount > balance || air.amount <= claimed ? now : withChain(now, { claimed: air.amount })
    case 'refund': {
      if (air.nonce !== nonce || air.claim > balance) return now
      const after = air.claim > claimed ? air.claim : claimed
      const paid = air.amount < balance - after ? air.amount : balance - after
      const next = withChain(now, {
        ...{ claimed: after, balance: balance - paid, nonce: nonce + 1 },
        leaving: leaving && balance - paid > after,
      })
      const refunds = [...next.refunds, air.claim]
      return state.refunds.includes(air.claim)
        ? wrong({ ...next, refunds }, 'a second refund was paid for on one voucher')
        : { ...next, refunds }
    }
  }
}

// --- the world ------------------------------------------------------------------------------------------------------

function worldMoves(scenario: ChannelScenario, state: State): Move[] {
  const moves: Move[] = [...arrivals(scenario, state)]
  if (state.left.crashes > 0)
    for (const [index, process] of state.processes.entries())
      if (process !== null) moves.push([`${index} crash`, crash(state, index)])
  for (const air of state.chain.air)
    moves.push([`chain mines ${air.what}${air.what === 'deposit' ? ` ${air.auth}` : ''}`, mine(state, air)])
  const isLeased =
    state.deposits.some((deposit) => deposit !== null && deposit.lease === state.clock) ||
    state.locks.maintain === state.clock ||
    state.locks.refund === state.clock
  // A settlement has a deadline shorter than a lease, and no write that gives a lease takes so long.
  const isSending = state.processes.some((process) => process !== null && UNDER_LEASE.test(process.at))
  if (isLeased && state.left.leases > 0 && !isSending)
    moves.push([
      'time ends leases',
      { ...state, clock: state.clock + 1, left: { ...state.left, leases: state.left.leases - 1 } },
    ])
  const { chain } = state
  if (scenario.leaves === true && !chain.leaving && chain.balance > chain.claimed && !state.gone)
    moves.push(['payer leaves', { ...withChain(state, { leaving: true }), watched: false }])
  if (chain.leaving && state.watched)
    moves.push([
      'payer takes',
      { ...withChain(state, { leaving: false, balance: chain.claimed }), gone: true },
    ])
  if (scenario.gives === true && !state.given)
    moves.push(['payer deposits', { ...withChain(state, { balance: chain.balance + DEPOSIT }), given: true }])
  if (scenario.nodeStands === true) {
    const { balance, claimed, nonce, leaving } = chain
    const { standing } = state
    const view = { balance, claimed, nonce, leaving }
    if (standing === null) moves.push(['node stands', { ...state, standing: { view, isAsked: true } }])
    else moves.push(['node changes', { ...state, standing: { ...standing, isAsked: !standing.isAsked } }])
  }
  return moves
}

function arrivals(scenario: ChannelScenario, state: State): Move[] {
  const index = state.processes.indexOf(null)
  if (index < 0) return []
  return state.processes.flatMap((process, at) =>
    process !== null
      ? []
      : (Object.keys(state.left.arrivals) as Kind[])
          .filter((kind) => (state.left.arrivals[kind] ?? 0) > 0 && mayArrive(state, kind))
          .map((kind): Move => [`${at} arrive ${kind}`, arrive(scenario, state, at, kind)]),
  )
}

/** The payer signs its next voucher once it has heard of the one before; the loop runs on one replica at a time. */
export function mayArrive(state: State, kind: Kind): boolean {
  if (kind === 'maintain' || kind === 'claim') return state.locks.maintain !== state.clock
  if (kind === 'refund') return state.answers.length > 0
  return CALLS[kind].amount === 1 || state.answers.some((answer) => answer.startsWith('1'))
}

/** The highest voucher that the payer has heard of. */
const heard = (state: State): number => Math.max(0, ...state.answers.map((answer) => Number(answer[0])))

export function arrive(scenario: ChannelScenario, state: State, index: number, kind: Kind): State {
  const arrivalsLeft = { ...state.left.arrivals, [kind]: (state.left.arrivals[kind] ?? 1) - 1 }
  const counted = { ...state, left: { ...state.left, arrivals: arrivalsLeft } }
  const process: Process = {
    ...{ kind, at: 'state', seen: state.row, fresh: null, isIn: true, auth: 0, seenDeposit: null },
    ...{ rival: null, isSpent: false },
    amount: kind === 'refund' ? heard(state) : 0,
  }
  const begun = withProcess(counted, index, process)
  if (kind === 'refund') return acts.askRefund(begun, index)
  if (kind === 'maintain' || kind === 'claim')
    return acts.maintain(set(begun, index, { seen: null, isIn: state.chain.leaving }), index)
  const { amount, deposit } = CALLS[kind]
  const signed = Math.max(begun.signed, amount)
  return calls.decide(scenario, set({ ...begun, signed }, index, { isIn: deposit === null }), index)
}

/** A process that ends: its deposits have an owner that no longer exists. */
export function crash(state: State, index: number): State {
  const left = { ...state.left, crashes: state.left.crashes - 1 }
  const orphaned = ([0, 1] as const).reduce<State>(
    (now, auth) => {
      const deposit = now.deposits[auth]
      return deposit?.owner === index ? withDeposit(now, auth, { ...deposit, owner: CRASHED }) : now
    },
    withProcess({ ...state, left }, index, null),
  )
  const processes = orphaned.processes.map((each) =>
    each?.seenDeposit?.owner === index
      ? { ...each, seenDeposit: { ...each.seenDeposit, owner: CRASHED } }
      : each,
  )
  return { ...orphaned, processes }
}
