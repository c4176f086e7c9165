import type { Correction } from './corrections.ts'
import type { Scenario } from './scenario.ts'

type Plan = Omit<Scenario, 'corrections'> & {
  /** The corrections without which the search of this plan finds an attack. */
  readonly shows: readonly Correction[]
}

/** The searches that make up the proof. Each keeps its numbers small, so that every state can be visited. */
export const PLANS: readonly Plan[] = [
  {
    name: 'copies, a differing call and the recovery loop',
    shows: ['denial-under-lease'],
    replicas: 2,
    arrivals: { same: 2, other: 1 },
    storeFaults: 1,
    loops: 1,
  },
  {
    name: 'a facilitator that says "not sent"',
    shows: ['unsent-is-doubtful'],
    replicas: 2,
    arrivals: { same: 2, other: 1 },
    replies: ['settled', 'unknown', 'word', 'word_lie'],
    loops: 1,
  },
  {
    name: 'transfers in late blocks, and authorizations spent elsewhere',
    shows: ['blocks-order-claims', 'foreign-use-is-void'],
    replicas: 2,
    arrivals: { same: 2 },
    replies: ['settled', 'unknown'],
    oldStamps: true,
    spends: ['paid', 'foreign', 'canceled'],
    loops: 1,
  },
  {
    name: 'two tasks and one authorization',
    shows: ['task-shows-its-own-sale'],
    replicas: 2,
    arrivals: { pay1: 2, pay2: 1 },
    storeFaults: 1,
  },
  {
    name: 'a call that is kept as a task, and a copy that is not',
    shows: ['kept-task'],
    replicas: 2,
    arrivals: { same: 1, inband: 2 },
    replies: ['settled', 'unknown'],
  },
  {
    name: 'a second signature for the same call',
    shows: ['new-signature-waits'],
    replicas: 2,
    arrivals: { same: 1, again: 1 },
    replies: ['settled', 'unknown', 'unreached'],
    storeFaults: 1,
  },
  {
    name: 'a stranger who repeats a public payment with other values',
    shows: ['strangers-cannot-lock-out'],
    replicas: 2,
    arrivals: { same: 2, stranger: 1 },
    replies: ['settled', 'unknown'],
  },
  {
    name: 'answers that are fetched late',
    shows: ['window-from-delivery'],
    replicas: 2,
    arrivals: { same: 2 },
    replies: ['settled', 'unknown'],
    lastPhase: 3,
    loops: 1,
  },
  {
    name: 'terms that change',
    shows: ['row-before-terms'],
    replicas: 2,
    arrivals: { same: 2, other: 1 },
    replies: ['settled', 'unknown'],
    termsChange: true,
  },
  {
    name: 'a replica whose clock is ahead',
    shows: ['one-clock'],
    replicas: 2,
    arrivals: { same: 2 },
    replies: ['settled', 'unknown'],
    clockAhead: true,
  },
  {
    name: 'a node that stands still',
    shows: ['standing-node-pauses'],
    replicas: 2,
    arrivals: { same: 2 },
    replies: ['settled', 'unknown'],
    spends: ['paid'],
    nodeStands: true,
  },
  {
    name: 'a backup from before the sale',
    shows: ['restored-rows'],
    replicas: 1,
    arrivals: { same: 2 },
    replies: ['settled', 'unknown'],
    backups: true,
    loops: 1,
  },
  {
    name: 'a store that loses what was not flushed',
    shows: ['claim-is-flushed'],
    replicas: 2,
    arrivals: { same: 1, again: 1 },
    replies: ['settled', 'unknown'],
    powerLosses: 1,
    loops: 1,
  },
  {
    name: 'proof on chain while shallow blocks are replaced',
    shows: ['proof-has-depth'],
    replicas: 2,
    arrivals: { same: 2 },
    replies: ['settled', 'unknown'],
    proofOnChain: true,
    loops: 1,
  },
]

/** The plan as a search under these corrections. */
export function scenarioOf({ shows: _, ...plan }: Plan, corrections: ReadonlySet<Correction>): Scenario {
  return { ...plan, corrections }
}
