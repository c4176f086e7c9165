import type { Rule } from './rules.ts'

/** What a request is: a call with its voucher, or one of the acts around calls. */
export type Kind = keyof typeof CALLS | 'refund' | 'maintain' | 'claim'

export type Body = 'v' | 'w'

/** The calls of the payer: what the voucher is signed for, what is asked, and the authorization that comes along. */
export const CALLS = {
  first: { amount: 1, body: 'v', deposit: 0 },
  /** The payer did not hear of its deposit and signs another one. */
  again: { amount: 1, body: 'v', deposit: 1 },
  other: { amount: 1, body: 'w', deposit: 0 },
  next: { amount: 2, body: 'v', deposit: null },
  nextOther: { amount: 2, body: 'w', deposit: null },
  /** The next call brings another deposit along. */
  topUp: { amount: 2, body: 'v', deposit: 1 },
} as const satisfies Record<string, { amount: number; body: Body; deposit: 0 | 1 | null }>

export type CallKind = keyof typeof CALLS

export const isCall = (kind: Kind): kind is CallKind => Object.hasOwn(CALLS, kind)

/** What the contract says of the channel. */
export interface View {
  readonly balance: number
  readonly claimed: number
  readonly nonce: number
  readonly leaving: boolean
}

/** The row of the channel. */
export interface Row extends View {
  readonly charged: number
  readonly body: Body
  readonly refunding: number
  /** What was charged when the last refund was signed; 0 before. */
  readonly refunded: number
}

export const NO_OWNER = -1
export const CRASHED = -2

export interface Deposit {
  readonly state: 'sending' | 'landed'
  readonly owner: number
  /** The clock at which the lease was taken; it is over once the clock has moved. -1 for none. */
  readonly lease: number
  /** What the voucher that came with it is signed for. */
  readonly voucher: number
}

/** A transaction that was sent and is not mined; it may still be. */
export type Air =
  | { readonly what: 'deposit'; readonly auth: 0 | 1 }
  | { readonly what: 'claim'; readonly amount: number }
  | { readonly what: 'refund'; readonly nonce: number; readonly amount: number; readonly claim: number }

export interface Chain extends View {
  readonly used: readonly [boolean, boolean]
  readonly air: readonly Air[]
}

/** The next visible step of a process: a write of the store, a look at the contract, or a call to the facilitator. */
export type Pending =
  | 'state'
  | 'write'
  | 'earlier state'
  | 'claim deposit'
  | 'rival state'
  | 'land rival'
  | 'unclaim deposit'
  | 'lease deposit'
  | 'settle deposit'
  | 'land deposit'
  | 'land earlier'
  | 'release deposit'
  | 'refund state'
  | 'refund refresh'
  | 'refund write'
  | 'settle refund'
  | 'after state'
  | 'after refresh'
  | 'maintain land'
  | 'maintain state'
  | 'maintain refresh'
  | 'claim state'
  | 'claim refresh'
  | 'settle claim'
  | 'claimed state'
  | 'claimed refresh'

export interface Process {
  readonly kind: Kind
  readonly at: Pending
  /** The row as it was read, and the contract after that. */
  readonly seen: Row | null
  readonly fresh: View | null
  readonly isIn: boolean
  /** The deposit that a step is about, as it was read. */
  readonly auth: 0 | 1
  readonly seenDeposit: Deposit | null
  /** Of another replica, for the same call. */
  readonly rival: Deposit | null
  /** True if the other deposit has landed, and its money has left the channel since. */
  readonly isSpent: boolean
  /** Of a refund: what its voucher is signed for, and once it is sent, its nonce; of a claim: the sum. */
  readonly amount: number
}

export interface Budget {
  readonly arrivals: Readonly<Partial<Record<Kind, number>>>
  readonly crashes: number
  readonly storeFaults: number
  readonly leases: number
}

export interface State {
  readonly clock: number
  readonly row: Row | null
  readonly deposits: readonly [Deposit | null, Deposit | null]
  readonly chain: Chain
  /** What a node that stands shows, and whether it is the one that is asked; null if none stands. */
  readonly standing: { readonly view: View; readonly isAsked: boolean } | null
  readonly processes: readonly (Process | null)[]
  /** Clocks at which the locks of the watching loop and of the refund were taken; -1 for free. */
  readonly locks: { readonly maintain: number; readonly refund: number }
  readonly left: Budget
  /** The answers that were given, as amount and body. */
  readonly answers: readonly string[]
  /** Refunds that were mined, as what was charged when they were signed. */
  readonly refunds: readonly number[]
  /** The highest voucher that the payer has signed. */
  readonly signed: number
  /** True once the loop has looked at the channel of a payer who leaves, and claimed what there was. */
  readonly watched: boolean
  /** True once the payer has taken out what was not claimed, a day after it began to leave. */
  readonly gone: boolean
  /** True once the payer has put money in without this service. */
  readonly given: boolean
  readonly fault: string | null
  /** What the last step answered. */
  readonly said: string | null
}

/** What one search lets happen. */
export interface ChannelScenario {
  readonly name: string
  /** Rules that are left out, to show that the search finds what they are for. */
  readonly without?: readonly Rule[]
  readonly replicas: number
  readonly arrivals: Readonly<Partial<Record<Kind, number>>>
  /** What of a settlement can happen. */
  readonly replies?: readonly Reply[]
  readonly crashes?: number
  readonly storeFaults?: number
  readonly leases?: number
  /** The payer may begin to withdraw, and take the rest a day later. */
  readonly leaves?: boolean
  /** The node may stand still and show an old state. */
  readonly nodeStands?: boolean
  /** The payer may put money into the channel without this service. */
  readonly gives?: boolean
}

/** `silent` ones give no answer; `air` ones may be mined later; a `lie` says that it was mined. */
export type Reply = 'mined' | 'silent mined' | 'silent air' | 'lie air'

/** Calls that one deposit pays for. */
export const DEPOSIT = 2

export function initialState({
  arrivals,
  replicas,
  crashes = 0,
  storeFaults = 0,
  leases = 0,
}: ChannelScenario): State {
  return {
    clock: 0,
    row: null,
    deposits: [null, null],
    chain: { balance: 0, claimed: 0, nonce: 0, leaving: false, used: [false, false], air: [] },
    standing: null,
    processes: Array.from({ length: replicas }, () => null),
    locks: { maintain: -1, refund: -1 },
    left: { arrivals, crashes, storeFaults, leases },
    answers: [],
    refunds: [],
    signed: 0,
    watched: false,
    gone: false,
    given: false,
    fault: null,
    said: null,
  }
}
