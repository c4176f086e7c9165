import type { Auth, Chain, Kind, Pending, Process, Row, State, TaskId, Value } from './sale-state.ts'

export const authOf = (kind: Kind): Auth => (kind === 'again' ? 1 : 0)

export const askedValue = (kind: Kind): Value =>
  kind === 'other' || kind === 'stranger' || kind === 'pay2' ? 'w' : 'v'

/** The task a request is kept as: one it names (pay), or one made with its claim (inband). */
export const taskOf = (kind: Kind): TaskId =>
  kind === 'pay1' || kind === 'inband' ? 1 : kind === 'pay2' ? 2 : 0

export const namesTask = (kind: Kind): boolean => kind === 'pay1' || kind === 'pay2'

const at = <T>(pair: readonly [T, T], index: number, value: T): readonly [T, T] =>
  index === 0 ? [value, pair[1]] : [pair[0], value]

export const withRow = (state: State, auth: Auth, row: Row | null): State => ({
  ...state,
  rows: at(state.rows, auth, row),
})

export const withChain = (state: State, auth: Auth, change: Partial<Chain>): State => ({
  ...state,
  chains: at(state.chains, auth, { ...state.chains[auth], ...change }),
})

export const withTask = (state: State, task: TaskId, auth: Auth | null): State =>
  task === 0 ? state : { ...state, tasks: at(state.tasks, task - 1, auth) }

export const withProcess = (state: State, index: number, process: Process | null): State => ({
  ...state,
  processes: state.processes.map((each, other) => (other === index ? process : each)),
})

export const withRead = (state: State, index: number, pair: readonly [boolean, boolean]): State => ({
  ...state,
  read: state.read.map((each, other) => (other === index ? pair : each)),
})

const TAKES_LEASE: readonly Pending[] = ['claim', 'reclaim', 'start', 'again']

const RECORDS: readonly Pending[] = ['record', 'settle']

/** The process's next step. */
export function proceed(state: State, index: number, change: Partial<Process>): State {
  const process = state.processes[index] as Process
  const at = change.at ?? process.at
  const leaseFrom = TAKES_LEASE.includes(at) ? state.clock : -1
  const settledIn = RECORDS.includes(at) ? state.phase : 0
  return withProcess(state, index, { ...process, leaseFrom, settledIn, ...change })
}

export const use = (
  state: State,
  entry: 'sends' | 'crashes' | 'storeFaults' | 'leases' | 'loops' | 'powerLosses',
): State => ({
  ...state,
  left: { ...state.left, [entry]: state.left[entry] - 1 },
})

export const withFault = (state: State, fault: string): State =>
  state.fault === null ? { ...state, fault } : state

/** True while the token would still take the authorization; time is known for the first one only. */
export const isValid = (state: State, auth: Auth): boolean => auth === 1 || state.phase === 0

/** True once a settlement of ours moved, or may still move, the buyer's money. */
export function mayBeCharged(state: State, auth: Auth): boolean {
  const { use: used, air, sent } = state.chains[auth]
  return sent && (used === 'paid' || (air && used === 'unused' && isValid(state, auth)))
}

/** True when a settlement of ours moved the buyer's money. */
export const isCharged = (state: State, auth: Auth): boolean =>
  state.chains[auth].use === 'paid' && state.chains[auth].sent && state.rows[auth]?.usedBefore !== true

/** A flush takes everything along that was written before it. */
export const flushed = (state: State): State => ({
  ...state,
  rows: state.rows.map((row) => (row === null || row.durable === null ? row : { ...row, durable: null })) as [
    Row | null,
    Row | null,
  ],
})

/** The compare-and-set of the ledger: state, owner and lease are still the ones that were read. */
export const isUnmoved = (seen: Row | null, present: Row | null): boolean =>
  seen !== null &&
  present !== null &&
  seen.state === present.state &&
  seen.owner === present.owner &&
  seen.lease === present.lease
