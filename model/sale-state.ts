/** The two values a request can ask for: the one that was paid for, and another. */
export type Value = 'v' | 'w'
/** Index of an authorization: 0 is the buyer's first, 1 one that the same payer signed later for the same call. */
export type Auth = 0 | 1
/** Number of a task, 0 where the request names none. */
export type TaskId = 0 | 1 | 2

export type RowState = 'claimed' | 'settling' | 'settled' | 'refused' | 'in_doubt' | 'void'

/** Owner of a row: the index of a replica, NO_OWNER, or a process that has crashed. */
export const NO_OWNER = -1
export const CRASHED = -2

/** What a loss of power leaves of a row whose last change was not flushed: nothing, or what it was before. */
export type Durable = 'nothing' | Pick<Row, 'state' | 'owner' | 'lease' | 'delivered'>

/** One row of the ledger. */
export interface Row {
  readonly state: RowState
  readonly owner: number
  /** The clock at which the lease was given: it is over once the clock has moved on; -1 for a row let go. */
  readonly lease: number
  readonly tries: number
  readonly asks: Value
  readonly task: TaskId
  /** The authorization was used on the chain before the claim. */
  readonly usedBefore: boolean
  /** The node's view was old at the claim, so the recorded head is too low. */
  readonly oldHead: boolean
  readonly delivered: boolean
  /** When it was settled, or then first delivered: the replay window is counted from there. */
  readonly since: 0 | 1 | 2 | 3
  /** False once the binding was deleted; nothing can be compared with such a row. */
  readonly bound: boolean
  /** Written by `reconcile --restored`: answers one buyer, whatever they ask for. */
  readonly restored: boolean
  /** Why the row is void. */
  readonly used: boolean
  /** Differing values a stranger has sent, up to the number that silences the row. */
  readonly strange: boolean
  /** The other authorization was claimed first. */
  readonly later: boolean
  /** Null once everything in the row is on disk. */
  readonly durable: Durable | null
}

/** What the chain and the facilitator hold of one authorization. */
export interface Chain {
  readonly use: 'unused' | 'paid' | 'foreign' | 'canceled'
  /** The block of the payment carries a time stamp older than the claim. */
  readonly oldStamp: boolean
  /** The block is deep enough not to be replaced any more. */
  readonly deep: boolean
  /** A sent transfer may still land. */
  readonly air: boolean
  /** A facilitator had the settlement at least once. */
  readonly sent: boolean
}

/** What a request wants. */
export type Kind = 'same' | 'other' | 'again' | 'stranger' | 'pay1' | 'pay2' | 'inband' | 'loop'

/**
 * The next visible step of a process: one write, one call of the facilitator, one wait, or its answer. What it reads
 * on the way belongs to the step before.
 */
export type Pending =
  | 'wait'
  | 'claim'
  | 'unclaim'
  | 'reclaim'
  | 'let_go'
  | 'seize'
  | 'oust'
  | 'first'
  | 'drop'
  | 'start'
  | 'send'
  | 'reply'
  | 'record'
  | 'pause'
  | 'release'
  | 'refuse'
  | 'doubt'
  | 'lease_over'
  | 'again'
  | 'settle'
  | 'void'
  | 'attach'
  | 'sold'

export interface Process {
  readonly kind: Kind
  readonly at: Pending
  /** The authorization whose row the step is about. */
  readonly about: Auth
  /** The row as it was read: every write compares it. */
  readonly seen: Row | null
  /** The row of its own authorization, while a step is about another one that stands in its way. */
  readonly mine: Row | null
  /** Whether another authorization was claimed, or about to be, when this claim was prepared. */
  readonly later: boolean
  /** Its claim is written before the ledger was read. */
  readonly atOnce: boolean
  /** It has waited for as long as a request waits. */
  readonly tired: boolean
  /** The row before this settlement, to which "not sent" goes back. */
  readonly before: 'claimed' | 'refused' | 'in_doubt'
  /** Whether the process has sent a settlement: a store that fails then leaves the outcome in doubt. */
  readonly hasSent: boolean
  /** Whether an earlier settlement could still land when this process sent its own. */
  readonly wasInAir: boolean
  /** Whether an answer was delivered since this request came in: it is then the answer to this one too. */
  readonly sawDelivery: boolean
  /** What the head of the chain, read before the claim, says: used already, and whether that head was old. */
  readonly usedBefore: boolean
  readonly oldHead: boolean
  /** The clock when the step was prepared: a lease that it takes is counted from there. */
  readonly leaseFrom: number
  /** The phase when the record of a settlement was prepared: it was settled then. */
  readonly settledIn: State['phase']
  /** Tries left to write a settlement down. */
  readonly triesLeft: number
}

/** What may still happen; every entry is used up. */
export interface Budget {
  readonly arrivals: Readonly<Partial<Record<Kind, number>>>
  readonly sends: number
  readonly crashes: number
  readonly storeFaults: number
  readonly leases: number
  readonly loops: number
  readonly powerLosses: number
}

export interface State {
  /** How many leases' lengths have passed. */
  readonly clock: number
  readonly phase: 0 | 1 | 2 | 3
  readonly rows: readonly [Row | null, Row | null]
  readonly chains: readonly [Chain, Chain]
  /** The authorization each task is tied to. */
  readonly tasks: readonly [Auth | null, Auth | null]
  readonly processes: readonly (Process | null)[]
  /** By replica, the authorizations whose row a request there reads before it claims. */
  readonly read: readonly (readonly [boolean, boolean])[]
  readonly left: Budget
  readonly termsChanged: boolean
  readonly nodeStands: boolean
  /** Values shown to buyers, as "<authorization><value>". */
  readonly shown: readonly string[]
  /** Authorizations of which an answer said "nothing was charged". */
  readonly denied: readonly [boolean, boolean]
  /** What a step did that no step may do. */
  readonly fault: string | null
  /** The answer of the last step, if it gave one; no part of what makes states equal. */
  readonly said: string | null
  /** A second signature arrived while the first was under way. */
  readonly overlapped: boolean
}

/** A short text of a state; equal texts are equal states. */
export const encode = (state: State): string =>
  encodeInOrder(
    state,
    state.processes.map((_, index) => index),
  )

/** The same for a search in which two replicas are interchangeable. */
export function encodeSymmetric(state: State): string {
  const [one, other] = [encodeInOrder(state, [0, 1]), encodeInOrder(state, [1, 0])]
  return one < other ? one : other
}

function encodeInOrder(state: State, order: readonly number[]): string {
  const nameOf = (owner: number) => (owner < 0 ? owner : order.indexOf(owner))
  const { left } = state
  return [
    `${state.phase}${state.clock}`,
    state.rows.map((row) => encodeRow(row, nameOf)).join(),
    state.chains
      .map(({ use, oldStamp, deep, air, sent }) => `${use[0]}${+oldStamp}${+deep}${+air}${+sent}`)
      .join(),
    state.tasks.join(),
    order.map((index) => encodeProcess(state.processes[index] ?? null, nameOf)).join(),
    order.map((index) => state.read[index]?.map(Number).join('')).join(),
    Object.values(left.arrivals).join(''),
    `${left.sends}${left.crashes}${left.storeFaults}${left.leases}${left.loops}${left.powerLosses}`,
    `${+state.termsChanged}${+state.nodeStands}${+state.overlapped}`,
    state.shown.join(''),
    state.denied.map(Number).join(''),
    state.fault ?? '',
  ].join('|')
}

const encodeRow = (row: Row | null, nameOf: (owner: number) => number): string =>
  row === null
    ? '-'
    : `${row.state}${nameOf(row.owner)}${row.lease}${row.tries}${row.asks}${row.task}${+row.usedBefore}${+row.oldHead}${+row.delivered}${row.since}${+row.bound}${+row.restored}${+row.used}${+row.strange}${+row.later}${encodeDurable(row.durable, nameOf)}`

const encodeDurable = (durable: Durable | null, nameOf: (owner: number) => number): string => {
  if (durable === null || durable === 'nothing') return durable ?? ''
  return `<${durable.state}${nameOf(durable.owner)}${durable.lease}${+durable.delivered}>`
}

const encodeProcess = (process: Process | null, nameOf: (owner: number) => number): string =>
  process === null
    ? '-'
    : `${process.kind}:${process.at}:${process.about}:${encodeRow(process.seen, nameOf)}:${process.mine === null ? '' : encodeRow(process.mine, nameOf)}:${+process.later}${+process.atOnce}${+process.tired}${process.before}${+process.hasSent}${+process.wasInAir}${+process.sawDelivery}${+process.usedBefore}${+process.oldHead}${process.leaseFrom},${process.settledIn}${process.triesLeft}`
