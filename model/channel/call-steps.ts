import { go, has, isOlder, refundingNow, same, say, set, shownBy, withDeposit, wrong } from './change.ts'
import {
  CALLS,
  type CallKind,
  type ChannelScenario,
  type Deposit,
  NO_OWNER,
  type Process,
  type Row,
  type State,
  type View,
} from './channel-state.ts'

const processOf = (state: State, index: number) => state.processes[index] as Process
const callOf = (process: Process) => CALLS[process.kind as CallKind]

/** Goes on with a call until its next visible step, or its answer (`charge` in src/payments/channels/sale). */
export function decide(scenario: ChannelScenario, state: State, index: number): State {
  const process = processOf(state, index)
  const { seen: row, fresh, isIn } = process
  const { amount } = callOf(process)
  if (row !== null && amount === row.charged) return repeat(scenario, state, index, row)
  if (row === null && fresh === null) return go(state, index, 'state')
  const claimed = fresh?.claimed ?? row?.claimed ?? 0
  const charged = row === null || row.charged < claimed ? claimed : row.charged
  if (amount !== charged + 1)
    return row !== null && fresh === null && amount > charged + 1
      ? go(state, index, 'state')
      : say(state, index, 'behind')
  if (!isIn) return bringIn(scenario, state, index)
  if (fresh === null && row !== null && !isCovered(scenario, row, amount)) return go(state, index, 'state')
  const view = viewOf(row, fresh)
  if (view.leaving && has(scenario, 'leaving-sells-nothing')) return say(state, index, 'closing')
  return amount > availableOf(scenario, view) ? say(state, index, 'behind') : go(state, index, 'write')
}

type Relied = View & { readonly refunding: number }

const viewOf = (row: Row | null, fresh: View | null): Relied =>
  fresh === null ? (row as Row) : { ...fresh, refunding: refundingNow(row, fresh) }

const availableOf = (scenario: ChannelScenario, { balance, refunding }: Relied): number =>
  has(scenario, 'refund-is-reserved') ? balance - refunding : balance

const isCovered = (scenario: ChannelScenario, row: Row, amount: number): boolean =>
  amount <= availableOf(scenario, row) && !row.leaving

function repeat(scenario: ChannelScenario, state: State, index: number, row: Row): State {
  const { amount, body } = callOf(processOf(state, index))
  if (row.body !== body && has(scenario, 'one-voucher-one-call')) return say(state, index, 'used')
  return answered(say(state, index, 'verdict'), amount, body)
}

function answered(state: State, amount: number, body: string): State {
  const answer = `${amount}${body}`
  if (state.answers.includes(answer)) return state
  const next = { ...state, answers: [...state.answers, answer].toSorted() }
  return state.answers.some((each) => each.startsWith(String(amount)))
    ? wrong(next, 'one voucher answered two calls')
    : next
}

/** The contract was read; `isOlder` ends the request. */
export function stateRead(scenario: ChannelScenario, state: State, index: number): State {
  const { seen } = processOf(state, index)
  const view = shownBy(state)
  if (seen !== null && isOlder(scenario, seen, view))
    return say(state, index, mayBeIn(state, index) ? 'in doubt' : 'unavailable')
  return decide(scenario, set(state, index, { fresh: view }), index)
}

/** Whether the deposit of a call, or another one for the same voucher, may have been sent. */
function mayBeIn(state: State, index: number): boolean {
  const { amount, deposit } = callOf(processOf(state, index))
  return (
    deposit !== null &&
    state.deposits.some((each, auth) => each !== null && (auth === deposit || each.voucher === amount))
  )
}

/** The one write of a call. */
export function write(scenario: ChannelScenario, state: State, index: number): State {
  const process = processOf(state, index)
  const { seen: row, fresh } = process
  const { amount, body } = callOf(process)
  const isUnmoved = same(row, state.row) || (row !== null && !has(scenario, 'compare-and-set'))
  if (!isUnmoved) {
    const kept = has(scenario, 'read-again-after-conflict') ? null : fresh
    return decide(scenario, set(state, index, { seen: state.row, fresh: kept }), index)
  }
  const { balance, claimed, nonce, leaving, refunding } = viewOf(row, fresh)
  const refunded = row?.refunded ?? 0
  const next = { balance, claimed, nonce, leaving, refunding, refunded, charged: amount, body }
  return answered(say({ ...state, row: next }, index, 'verdict'), amount, body)
}

/** `bringIn`: the deposit that comes with a call. */
function bringIn(scenario: ChannelScenario, state: State, index: number): State {
  const auth = callOf(processOf(state, index)).deposit as 0 | 1
  const seen = state.deposits[auth]
  if (seen?.state === 'landed') return isIn(state, index)
  if (seen !== null) return lookAgain(scenario, state, index, auth, seen)
  const ours = set(state, index, { auth, seenDeposit: null })
  return lookForEarlier(scenario, ours, index) ?? sendFirst(scenario, ours, index)
}

/** The other deposit with the same voucher; null if there is none that counts. */
function lookForEarlier(scenario: ChannelScenario, state: State, index: number): State | null {
  const { auth, isSpent } = processOf(state, index)
  const other = auth === 0 ? 1 : 0
  const earlier = has(scenario, 'same-deposit-once') ? state.deposits[other] : null
  if (earlier?.voucher !== callOf(processOf(state, index)).amount || isSpent) return null
  if (earlier.state === 'landed') return go(state, index, 'earlier state')
  if (isAnothers(state, index, earlier)) return say(state, index, 'in doubt')
  return state.chain.used[other]
    ? go(state, index, 'land earlier', { auth: other, seenDeposit: earlier })
    : say(state, index, 'in doubt')
}

const sendFirst = (scenario: ChannelScenario, state: State, index: number): State =>
  go(state, index, has(scenario, 'deposit-before-send') ? 'claim deposit' : 'settle deposit')

/** What the contract shows and no refund is signed for. */
const availableNow = (state: State): number => {
  const view = shownBy(state)
  return view.balance - refundingNow(state.row, view)
}

/** The other deposit has landed; whether its money is still there, the contract says. */
export function earlierRead(scenario: ChannelScenario, state: State, index: number): State {
  const isThere = availableNow(state) >= callOf(processOf(state, index)).amount
  if (isThere || !has(scenario, 'deposit-counts-while-there')) return isIn(state, index)
  const spent = set(state, index, { isSpent: true })
  const { seenDeposit } = processOf(state, index)
  return seenDeposit?.state === 'sending'
    ? go(spent, index, 'lease deposit')
    : sendFirst(scenario, spent, index)
}

const isAnothers = (state: State, index: number, { owner, lease }: Deposit): boolean =>
  lease === state.clock && owner !== index

function lookAgain(
  scenario: ChannelScenario,
  state: State,
  index: number,
  auth: 0 | 1,
  seen: Deposit,
): State {
  if (isAnothers(state, index, seen)) return say(state, index, 'in doubt')
  const ours = set(state, index, { auth, seenDeposit: seen })
  if (state.chain.used[auth]) return go(ours, index, 'land earlier')
  const earlier = has(scenario, 'look-before-each-send') ? lookForEarlier(scenario, ours, index) : null
  return earlier ?? go(ours, index, 'lease deposit')
}

/** The money is in: the row and then the contract are read. */
const isIn = (state: State, index: number): State =>
  go(state, index, 'state', { isIn: true, seen: state.row, seenDeposit: null })

export function claimDeposit(scenario: ChannelScenario, state: State, index: number): State {
  const claimed = leaseDeposit(state, index)
  if (claimed.processes[index] === null || !has(scenario, 'look-again-after-claim')) return claimed
  const found = lookForEarlier(scenario, claimed, index)
  if (found === null) return claimed
  const at = found.processes[index]?.at
  // One that has landed meanwhile is looked at, and one that landed unseen is written down, before ours is given up.
  if (at === 'earlier state') return go(claimed, index, 'rival state')
  return at === 'land earlier'
    ? go(claimed, index, 'land rival', { rival: state.deposits[processOf(state, index).auth === 0 ? 1 : 0] })
    : go(claimed, index, 'unclaim deposit')
}

/** The rival has landed: whether its money is there decides. */
export function rivalRead(state: State, index: number): State {
  const isThere = availableNow(state) >= callOf(processOf(state, index)).amount
  return go(state, index, isThere ? 'unclaim deposit' : 'settle deposit')
}

export function landRival(state: State, index: number): State {
  const { auth, rival } = processOf(state, index)
  return go(moveDeposit(state, auth === 0 ? 1 : 0, rival, 'landed'), index, 'unclaim deposit')
}

export function unclaimDeposit(state: State, index: number): State {
  const { auth, seenDeposit } = processOf(state, index)
  const ended = same(seenDeposit, state.deposits[auth]) ? withDeposit(state, auth, null) : state
  return say(ended, index, 'in doubt')
}

export function leaseDeposit(state: State, index: number): State {
  const { auth, seenDeposit } = processOf(state, index)
  if (!same(seenDeposit, state.deposits[auth])) return say(state, index, 'in doubt')
  const voucher = callOf(processOf(state, index)).amount
  const deposit = { state: 'sending', owner: index, lease: state.clock, voucher } as const
  return go(withDeposit(state, auth, deposit), index, 'settle deposit', { seenDeposit: deposit })
}

/** What is known after the facilitator was asked: the chain alone says whether the deposit is in. */
export function depositSettled(
  scenario: ChannelScenario,
  state: State,
  index: number,
  saysMined: boolean,
): State {
  const { auth } = processOf(state, index)
  const isUsed = state.chain.used[auth] || (saysMined && !has(scenario, 'chain-says-deposit'))
  return go(state, index, isUsed ? 'land deposit' : 'release deposit')
}

export function landDeposit(state: State, index: number): State {
  const { auth, seenDeposit } = processOf(state, index)
  return isIn(moveDeposit(state, auth, seenDeposit, 'landed'), index)
}

export function releaseDeposit(state: State, index: number): State {
  const { auth, seenDeposit } = processOf(state, index)
  return say(moveDeposit(state, auth, seenDeposit, 'sending'), index, 'in doubt')
}

/** Compare-and-set on state, owner and lease; nothing follows from a failure. */
export function moveDeposit(state: State, auth: 0 | 1, seen: Deposit | null, to: Deposit['state']): State {
  const deposit = { state: to, owner: NO_OWNER, lease: -1, voucher: seen?.voucher ?? 1 } as const
  if (seen === null) return withDeposit(state, auth, deposit)
  return same(seen, state.deposits[auth]) ? withDeposit(state, auth, deposit) : state
}
