import type { Correction } from './corrections.ts'
import type { Budget, Chain, Kind, State } from './sale-state.ts'

/** What one search lets happen, beside requests, crashes, leases that end and time that passes. */
export interface Scenario {
  readonly name: string
  readonly corrections: ReadonlySet<Correction>
  readonly replicas: number
  readonly arrivals: Readonly<Partial<Record<Kind, number>>>
  readonly sends?: number
  readonly crashes?: number
  readonly storeFaults?: number
  readonly leases?: number
  readonly loops?: number
  readonly powerLosses?: number
  /** How far time goes: 0 valid, 1 expired, 2 an hour later, 3 a day later. */
  readonly lastPhase?: 0 | 1 | 2 | 3
  readonly replies?: readonly Reply[]
  /** A transfer may land in a block with an old time stamp. */
  readonly oldStamps?: boolean
  /** The authorization may be spent outside of this service: on us, on another payee, or by cancelling it. */
  readonly spends?: readonly ('paid' | 'foreign' | 'canceled')[]
  readonly termsChange?: boolean
  /** The node may stand still: it shows an old chain. */
  readonly nodeStands?: boolean
  /** The second replica's clock runs two hours ahead. */
  readonly clockAhead?: boolean
  /** A backup from before the claim may be put back. */
  readonly backups?: boolean
  /** The verdict waits for a proof on chain; shallow blocks may be replaced. */
  readonly proofOnChain?: boolean
}

/** What a facilitator says; "lie" marks what is not so. */
export type Reply = 'settled' | 'unknown' | 'unreached' | 'refused' | 'word' | 'word_lie'

const UNUSED: Chain = { use: 'unused', oldStamp: false, deep: false, air: false, sent: false }

export function initialState(scenario: Scenario): State {
  const {
    arrivals,
    sends = 2,
    crashes = 1,
    storeFaults = 0,
    leases = 2,
    loops = 0,
    powerLosses = 0,
  } = scenario
  const left: Budget = { arrivals, sends, crashes, storeFaults, leases, loops, powerLosses }
  return {
    clock: 0,
    phase: 0,
    rows: [null, null],
    chains: [UNUSED, UNUSED],
    tasks: [null, null],
    processes: Array.from({ length: scenario.replicas }, () => null),
    read: Array.from({ length: scenario.replicas }, () => [false, false] as const),
    left,
    termsChanged: false,
    nodeStands: false,
    shown: [],
    denied: [false, false],
    fault: null,
    said: null,
    overlapped: false,
  }
}
