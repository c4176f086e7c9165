import {
  askedValue,
  authOf,
  flushed,
  isValid,
  mayBeCharged,
  namesTask,
  proceed,
  taskOf,
  withFault,
  withProcess,
  withRead,
} from './change.ts'
import { type Auth, type Kind, NO_OWNER, type Process, type Row, type State } from './sale-state.ts'
import type { Scenario } from './scenario.ts'

/** How a request ends when it is not sold. */
export type Answer =
  /** 402: nothing was charged under this authorization, and a new signature is welcome. */
  | 'unpaid'
  /** 503: nothing was charged; repeat the request unchanged. */
  | 'not_sent'
  /** 503: it is not known whether it was charged; repeat the request unchanged. */
  | 'in_doubt'
  /** 503: the store did not answer; repeat the request unchanged. */
  | 'store'
  /** 409: used for another call, or before this service saw it. */
  | 'used'
  /** 409: settled and answered long ago. */
  | 'window'
  /** 429: too many differing values. */
  | 'wait_long'
  /** 402 with "sign a new authorization: you are answered from the earlier payment, not charged". */
  | 'sign_again'

const MOST_TRIES_REFUSED = 3
const MOST_TRIES_IN_DOUBT = 10

/** Ends a request; an answer that denies a charge must be true, and must stay true. */
export function answer(scenario: Scenario, state: State, index: number, how: Answer): State {
  const { kind, about } = state.processes[index] as Process
  let next = withProcess(state, index, null)
  if (kind === 'loop') return next
  next = { ...next, said: how }
  if (how === 'unpaid' || how === 'not_sent') {
    if (about === authOf(kind) && mayBeCharged(state, about) && state.rows[about]?.usedBefore !== true)
      next = withFault(next, `an answer (${how}) denies a charge that was made or may still be made`)
    const denied: readonly [boolean, boolean] = about === 0 ? [true, next.denied[1]] : [next.denied[0], true]
    next = { ...next, denied }
  }
  const namesUnstored = kind === 'inband' && how === 'in_doubt' && state.tasks[0] === null
  return namesUnstored && !scenario.corrections.has('kept-task')
    ? withFault(next, 'an answer names a task that is not stored')
    : next
}

/** The lease of a row, as this replica sees it. */
const isLeased = (scenario: Scenario, state: State, row: Row, index: number): boolean =>
  row.lease === state.clock && !(isAhead(scenario) && index === 1)

const isAhead = ({ clockAhead, corrections }: Scenario): boolean =>
  clockAhead === true && !corrections.has('one-clock')

/** Reads the row of the request's authorization, and from there on up to the next visible step. */
export function lookUp(scenario: Scenario, state: State, index: number): State {
  const { kind } = state.processes[index] as Process
  const { corrections } = scenario
  const auth = authOf(kind)
  const row = state.rows[auth]
  const found = proceed(state, index, { about: auth, seen: row })
  if (kind === 'loop') return reconcile(scenario, found, index)
  if (state.termsChanged && (row === null || !corrections.has('row-before-terms')))
    return answer(scenario, found, index, 'unpaid')
  if (row === null) return open(scenario, found, index)
  if (isLeased(scenario, state, row, index) && row.owner !== index)
    return proceed(found, index, { at: 'wait' })
  if (row.state === 'claimed') return open(scenario, found, index)
  return repeat(scenario, found, index, row)
}

function repeat(scenario: Scenario, state: State, index: number, row: Row): State {
  const { kind } = state.processes[index] as Process
  const { corrections } = scenario
  const matches =
    row.restored ||
    (row.bound && row.asks === askedValue(kind) && (!namesTask(kind) || row.task === taskOf(kind)))
  if (row.strange) {
    if (!corrections.has('strangers-cannot-lock-out')) return answer(scenario, state, index, 'wait_long')
    if (kind !== 'stranger') return answer(scenario, state, index, 'sign_again')
  }
  if (row.state === 'settled' && isWindowOver(scenario, state, row))
    return answer(scenario, state, index, 'window')
  // The repeat is counted, and that write is flushed.
  const counted = flushed(state)
  if (!matches) {
    const noted = kind === 'stranger' ? { ...row, strange: true } : row
    return answer(scenario, withRowOf(counted, index, noted), index, 'used')
  }
  switch (row.state) {
    case 'settled':
      return sell(counted, index, row)
    case 'settling':
      return proceed(counted, index, { at: 'lease_over' })
    case 'void':
      return row.used ? resolve(scenario, counted, index) : answer(scenario, counted, index, 'unpaid')
    default:
      return resolve(scenario, counted, index)
  }
}

function withRowOf(state: State, index: number, row: Row): State {
  const { about } = state.processes[index] as Process
  return { ...state, rows: about === 0 ? [row, state.rows[1]] : [state.rows[0], row] }
}

function isWindowOver({ corrections }: Scenario, { phase }: State, row: Row): boolean {
  if (!row.bound && !row.restored) return true
  const last = row.delivered || !corrections.has('window-from-delivery') ? 1 : 2
  return phase > Math.max(last, row.since)
}

/** A sold row: the request's own task is tied to it first, where it has one that is not. */
export function sell(state: State, index: number, row: Row): State {
  const { kind, about } = state.processes[index] as Process
  if (kind === 'loop') return withProcess(state, index, null)
  const task = taskOf(kind)
  const isTied = task === 0 || row.task === task || state.tasks[task - 1] === about
  return proceed(state, index, { at: isTied ? 'sold' : 'attach', seen: row })
}

/** What must hold before an authorization is claimed, for the first time or again. */
function open(scenario: Scenario, state: State, index: number): State {
  const { kind, seen } = state.processes[index] as Process
  if (!isValid(state, authOf(kind))) {
    // A slow owner loses the row before this answer, so that nothing is sent after it.
    const isOwned = seen !== null && seen.owner !== NO_OWNER
    if (isOwned) return proceed(state, index, { at: 'drop' })
    return answer(scenario, state, index, expired(state, authOf(kind), seen))
  }
  return earlierPayment(scenario, state, index) ?? prepare(scenario, state, index)
}

/**
 * What is said of an authorization that has expired. Where the store knows of no settlement the chain is asked: one that
 * was put back from a backup does not know all that was charged.
 */
export function expired(state: State, auth: Auth, row: Row | null): Answer {
  const { use } = state.chains[auth]
  if (row?.state === 'refused' || state.nodeStands || use === 'unused') return 'unpaid'
  return use === 'paid' && mayBeLostSale(state) ? 'in_doubt' : 'used'
}

/** The authorization is claimed next: for the first time, or again. */
export function prepare(scenario: Scenario, state: State, index: number): State {
  const { kind, seen } = state.processes[index] as Process
  if (state.nodeStands && scenario.corrections.has('standing-node-pauses'))
    return answer(scenario, state, index, 'store')
  const isRefused = seen !== null && seen.state === 'refused'
  return proceed(state, index, {
    at: seen === null ? 'claim' : isRefused ? 'again' : 'reclaim',
    usedBefore: state.chains[authOf(kind)].use !== 'unused',
    oldHead: state.nodeStands,
    later: seen === null && isBehind(state, authOf(kind) === 0 ? 1 : 0),
  })
}

/** Whether this authorization was claimed, or is about to be. */
const isBehind = (state: State, other: Auth): boolean =>
  state.rows[other] !== null || state.processes.some((each) => each?.at === 'claim' && each.about === other)

/** A new signature for a call that an earlier one pays for, or may: answered from there. Null when it is a purchase. */
function earlierPayment(scenario: Scenario, state: State, index: number): State | null {
  const { kind, sawDelivery } = state.processes[index] as Process
  const mine = authOf(kind)
  const other: Auth = mine === 0 ? 1 : 0
  const row = state.rows[other]
  if (row === null || !row.bound || row.asks !== askedValue(kind)) return null
  const onOther = proceed(state, index, { about: other, seen: row })
  switch (row.state) {
    case 'settled':
      return (row.delivered && !row.strange && !sawDelivery) || isWindowOver(scenario, state, row)
        ? null
        : proceed(onOther, index, { at: 'sold' })
    case 'claimed':
    case 'settling':
      if (isLeased(scenario, state, row, index))
        return waitsForEarlier(scenario) ? proceed(state, index, { at: 'wait' }) : null
      if (row.state === 'settling') return proceed(onOther, index, { at: 'lease_over' })
      // Its owner may only be slow: it must lose the row before another signature takes its place.
      return row.owner === NO_OWNER || !waitsForEarlier(scenario)
        ? null
        : proceed(onOther, index, { at: 'seize', mine: state.rows[mine] })
    case 'in_doubt':
      if (isLeased(scenario, state, row, index)) return proceed(state, index, { at: 'wait' })
      return resolve(scenario, onOther, index)
    default:
      return null
  }
}

const waitsForEarlier = ({ corrections }: Scenario): boolean => corrections.has('new-signature-waits')

/** After the claim: another settlement for the same call that began meanwhile goes first. */
export function afterClaim(scenario: Scenario, state: State, index: number, row: Row): State {
  const { kind, sawDelivery, atOnce } = state.processes[index] as Process
  const mine = authOf(kind)
  const other = state.rows[mine === 0 ? 1 : 0]
  if (other === null || other.asks !== row.asks || !waitsForEarlier(scenario))
    return goOn(state, index, row, null)
  const isClaim = other.state === 'claimed' && other.owner !== NO_OWNER
  if (isClaim && !isLeased(scenario, state, other, index))
    return proceed(state, index, { at: 'oust', about: mine === 0 ? 1 : 0, seen: other, mine: row })
  const isBusy =
    isClaim ||
    (atOnce && other.state === 'refused') ||
    ['settling', 'in_doubt'].includes(other.state) ||
    (other.state === 'settled' && (sawDelivery || other.strange || !other.delivered))
  return goOn(state, index, row, isBusy ? other : null)
}

/** The row that was claimed is sent unless a rival stands in its way. */
export function goOn(state: State, index: number, row: Row, rival: Row | null): State {
  const { kind, tired, atOnce } = state.processes[index] as Process
  // A row that was written slowly has too little of its lease left; a claim takes a new lease before it is sent.
  const isClaim = row.state === 'claimed'
  const isLate = !isClaim && row.lease !== state.clock
  const hasRunOut = !isValid(state, authOf(kind))
  const isFirst = isClaim && rival?.state === 'claimed' && !row.later
  const mustWait = rival !== null || isLate
  return proceed(state, index, {
    at: isFirst && !tired ? 'first' : mustWait ? 'let_go' : hasRunOut ? 'drop' : isClaim ? 'start' : 'send',
    atOnce: atOnce && mustWait,
    about: authOf(kind),
    seen: row,
    mine: null,
    before: 'claimed',
  })
}

/** Reads the chain for the row at hand and goes where it points. */
export function resolve(scenario: Scenario, state: State, index: number): State {
  const { seen, about, hasSent, kind } = state.processes[index] as Process
  const row = seen as Row
  const isMine = about === authOf(kind)
  switch (word(scenario, state, about, row)) {
    case 'paid':
      return row.state === 'settled' ? sell(state, index, row) : proceed(state, index, { at: 'settle' })
    case 'never':
      return row.state === 'void'
        ? answerVoid(scenario, state, index, row)
        : proceed(state, index, { at: 'void' })
    case 'unclear':
      return row.state === 'void' ? answerVoid(scenario, state, index, row) : doubt(scenario, state, index)
    case 'unused':
      if (row.state === 'void') return answerVoid(scenario, state, index, row)
      if (hasSent || kind === 'loop' || !isMine) return doubt(scenario, state, index)
      return tryAgain(scenario, state, index, row)
  }
}

/** Leaves the row in doubt: written down where this process has sent, and said to the buyer. */
export function doubt(scenario: Scenario, state: State, index: number): State {
  const { hasSent } = state.processes[index] as Process
  return hasSent ? proceed(state, index, { at: 'doubt' }) : answer(scenario, state, index, 'in_doubt')
}

export const answerVoid = (scenario: Scenario, state: State, index: number, row: Row): State => {
  const { kind, about } = state.processes[index] as Process
  if (about !== authOf(kind))
    return open(
      scenario,
      proceed(state, index, { about: authOf(kind), seen: state.rows[authOf(kind)] }),
      index,
    )
  return answer(scenario, state, index, row.used ? 'used' : 'unpaid')
}

function tryAgain(scenario: Scenario, state: State, index: number, row: Row): State {
  if (row.state === 'refused')
    return row.tries < MOST_TRIES_REFUSED
      ? open(scenario, state, index)
      : answer(scenario, state, index, 'unpaid')
  const may = row.tries < MOST_TRIES_IN_DOUBT && isValid(state, (state.processes[index] as Process).about)
  return may ? proceed(state, index, { at: 'again' }) : answer(scenario, state, index, 'in_doubt')
}

/** What the chain says of a row: paid to us, never, not yet, or used in a way that explains nothing. */
function word(
  scenario: Scenario,
  state: State,
  auth: Auth,
  row: Row,
): 'paid' | 'never' | 'unused' | 'unclear' {
  const { corrections, proofOnChain } = scenario
  const { use, oldStamp, deep } = state.nodeStands
    ? { ...state.chains[auth], use: 'unused' as const }
    : state.chains[auth]
  const isOver = !isValid(state, auth) && !state.nodeStands
  switch (use) {
    case 'unused':
      return isOver ? 'never' : 'unused'
    case 'canceled':
      return 'never'
    case 'foreign':
      return corrections.has('foreign-use-is-void') ? 'never' : 'unclear'
    case 'paid': {
      if (proofOnChain === true && corrections.has('proof-has-depth') && !deep) return 'unclear'
      const isOlder = corrections.has('blocks-order-claims')
        ? row.usedBefore && !row.oldHead
        : row.usedBefore || oldStamp
      if (!isOlder) return 'paid'
      return mayBeLostSale(state) ? 'unclear' : 'never'
    }
  }
}

/** For a day after its end a payment that is older than its claim may be that of a sale which the store has lost. */
const mayBeLostSale = ({ phase }: State): boolean => phase < 3

/** One row of the recovery loop, which only reads the chain. */
function reconcile(scenario: Scenario, state: State, index: number): State {
  const row = state.rows[0]
  if (row === null || isLeased(scenario, state, row, index)) return answer(scenario, state, index, 'store')
  if (row.state === 'settling') return proceed(state, index, { at: 'lease_over' })
  return ['in_doubt', 'refused'].includes(row.state)
    ? resolve(scenario, state, index)
    : answer(scenario, state, index, 'store')
}

/** A request that has just come in, on an idle replica. */
export function arrive(scenario: Scenario, state: State, index: number, kind: Kind): State {
  const process: Process = {
    kind,
    at: 'wait',
    about: authOf(kind),
    seen: null,
    mine: null,
    later: false,
    atOnce: false,
    tired: false,
    before: 'claimed',
    hasSent: false,
    wasInAir: false,
    sawDelivery: false,
    usedBefore: false,
    oldHead: false,
    leaseFrom: -1,
    settledIn: 0,
    triesLeft: 3,
  }
  const other = state.rows[authOf(kind) === 0 ? 1 : 0]
  const overlaps =
    kind === 'again' &&
    other !== null &&
    other.owner !== NO_OWNER &&
    other.lease === state.clock &&
    other.asks === askedValue(kind)
  const arrived = withProcess({ ...state, overlapped: state.overlapped || overlaps }, index, process)
  if (kind === 'loop') return lookUp(scenario, arrived, index)
  const [first, second] = arrived.read[index] as readonly [boolean, boolean]
  const isRead = authOf(kind) === 0 ? first : second
  const next = withRead(arrived, index, authOf(kind) === 0 ? [true, second] : [first, true])
  const isPaused = state.nodeStands && scenario.corrections.has('standing-node-pauses')
  return isRead || state.termsChanged || isPaused || !isValid(state, authOf(kind))
    ? lookUp(scenario, next, index)
    : prepare(scenario, proceed(next, index, { atOnce: true }), index)
}
