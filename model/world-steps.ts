import { isValid, use, withChain, withFault, withProcess, withRead, withRow } from './change.ts'
import type { Move } from './process-steps.ts'
import { arrive } from './request-steps.ts'
import { type Auth, CRASHED, type Kind, type Row, type State } from './sale-state.ts'
import type { Scenario } from './scenario.ts'

const AUTHS: readonly Auth[] = [0, 1]

/** What happens around the processes: requests, crashes, the chain, time and the operator. */
export const worldMoves = (scenario: Scenario, state: State): Move[] => [
  ...arrivals(scenario, state),
  ...crashes(state),
  ...powerLosses(state),
  ...AUTHS.flatMap((auth) => chainMoves(scenario, state, auth)),
  ...timeMoves(scenario, state),
  ...operatorMoves(scenario, state),
]

function arrivals(scenario: Scenario, state: State): Move[] {
  return state.processes.flatMap((process, index) => {
    if (process !== null) return []
    return (Object.keys(state.left.arrivals) as Kind[])
      .filter((kind) => (state.left.arrivals[kind] ?? 0) > 0)
      .map((kind): Move => {
        const left = { ...state.left.arrivals, [kind]: (state.left.arrivals[kind] as number) - 1 }
        const counted = { ...state, left: { ...state.left, arrivals: left } }
        return [`${index} arrive ${kind}`, arrive(scenario, counted, index, kind)]
      })
  })
}

/** A process that ends: its rows have an owner that no longer exists. */
export function crash(state: State, index: number): State {
  const orphan = <T extends Row | null>(row: T): T =>
    row?.owner === index ? { ...row, owner: CRASHED } : row
  const rows = [orphan(state.rows[0]), orphan(state.rows[1])] as const
  const processes = state.processes.map((process, each) =>
    each === index || process === null
      ? null
      : { ...process, seen: orphan(process.seen), mine: orphan(process.mine) },
  )
  return { ...withRead(state, index, [false, false]), rows, processes }
}

const crashes = (state: State): Move[] =>
  state.left.crashes === 0
    ? []
    : state.processes.flatMap((process, index) =>
        process === null ? [] : [[`${index} crash`, crash(use(state, 'crashes'), index)] as const],
      )

/** The machine of the store fails: what was not flushed is gone. The replicas fail with it, or live on. */
function powerLosses(state: State): Move[] {
  if (state.left.powerLosses === 0 || state.rows.every((row) => row === null)) return []
  const lost = use(withLoss(state), 'powerLosses')
  const stopped = lost.processes.reduce<State>((next, _, index) => crash(next, index), lost)
  return [
    ['power fails', stopped],
    ['power of the store fails', lost],
  ]
}

function withLoss(state: State): State {
  const rows = [lossOf(state.rows[0]), lossOf(state.rows[1])] as const
  const kept = (auth: Auth | null) => (auth !== null && rows[auth] === null ? null : auth)
  return { ...state, rows, tasks: [kept(state.tasks[0]), kept(state.tasks[1])] }
}

function lossOf(row: Row | null): Row | null {
  if (row === null || row.durable === 'nothing') return null
  return { ...row, ...row.durable, durable: null }
}

function chainMoves(scenario: Scenario, state: State, auth: Auth): Move[] {
  const { use: used, air, deep } = state.chains[auth]
  const moves: Move[] = []
  const isOpen = used === 'unused' && isValid(state, auth)
  const land = (oldStamp: boolean): State => {
    const next = withChain(state, auth, { use: 'paid', air: false, oldStamp })
    return state.denied[auth] ? withFault(next, 'charged after an answer that denied it') : next
  }
  if (isOpen && air) {
    moves.push([`chain lands ${auth}`, land(false)])
    if (scenario.oldStamps === true) moves.push([`chain lands ${auth} in a late block`, land(true)])
  }
  if (isOpen && auth === 0)
    for (const spend of scenario.spends ?? [])
      moves.push([`chain ${spend} ${auth}`, withChain(state, auth, { use: spend, air: false })])
  if (scenario.proofOnChain === true && used === 'paid' && !deep) {
    moves.push([`chain deep ${auth}`, withChain(state, auth, { deep: true })])
    moves.push([
      `chain replaced ${auth}`,
      withChain(state, auth, { use: 'unused', air: isValid(state, auth) }),
    ])
  }
  return moves
}

function timeMoves(scenario: Scenario, state: State): Move[] {
  const { lastPhase = 1 } = scenario
  // A settlement is sent at once and has a deadline shorter than a lease: neither ends in the middle of it.
  if (state.processes.some((process) => process?.at === 'send' || process?.at === 'reply')) return []
  const moves: Move[] = []
  const isLeased = state.rows.some((row) => row !== null && row.lease === state.clock)
  if (isLeased && state.left.leases > 0)
    moves.push(['time ends leases', { ...use(state, 'leases'), clock: state.clock + 1 }])
  if (state.phase < lastPhase) {
    const phase = (state.phase + 1) as 1 | 2 | 3
    moves.push([
      `time ${['', 'expires', 'an hour', 'a day'][phase]}`,
      { ...state, phase, clock: state.clock + 1 },
    ])
  }
  return moves
}

function operatorMoves(scenario: Scenario, state: State): Move[] {
  const moves: Move[] = []
  const idle = state.processes.indexOf(null)
  if (state.left.loops > 0 && idle >= 0 && state.rows[0] !== null)
    moves.push([`${idle} arrive loop`, arrive(scenario, use(state, 'loops'), idle, 'loop')])
  if (scenario.termsChange === true && !state.termsChanged)
    moves.push(['operator changes terms', { ...state, termsChanged: true }])
  if (scenario.nodeStands === true)
    moves.push([`node ${state.nodeStands ? 'moves' : 'stands'}`, { ...state, nodeStands: !state.nodeStands }])
  const [row] = state.rows
  if (
    scenario.clockAhead === true &&
    !scenario.corrections.has('one-clock') &&
    row?.state === 'settled' &&
    row.bound
  )
    moves.push(['purge by a clock ahead', withRow(state, 0, { ...row, bound: false })])
  if (scenario.backups === true && row?.state === 'settled' && !row.restored)
    moves.push(['operator restores', restore(scenario, state, row)])
  return moves
}

/** Puts a backup from before the claim back: every process is started again, and the row is gone. */
function restore(scenario: Scenario, state: State, row: Row): State {
  const stopped = state.processes.reduce<State>(
    (next, _, index) => withRead(withProcess(next, index, null), index, [false, false]),
    state,
  )
  if (!scenario.corrections.has('restored-rows')) return withRow(stopped, 0, null)
  return withRow(stopped, 0, { ...row, bound: false, restored: true, delivered: false, task: 0 })
}
