import {
  askedValue,
  authOf,
  flushed,
  isUnmoved,
  isValid,
  proceed,
  taskOf,
  use,
  withChain,
  withFault,
  withProcess,
  withRead,
  withRow,
  withTask,
} from './change.ts'
import {
  type Answer,
  afterClaim,
  answer,
  answerVoid,
  doubt,
  expired,
  goOn,
  lookUp,
  prepare,
  resolve,
  sell,
} from './request-steps.ts'
import { NO_OWNER, type Process, type Row, type RowState, type State } from './sale-state.ts'
import type { Reply, Scenario } from './scenario.ts'

export type Move = readonly [action: string, state: State]

const WRITES: readonly string[] = [
  'claim',
  'unclaim',
  'reclaim',
  'let_go',
  'seize',
  'oust',
  'drop',
  'start',
  'record',
  'release',
  'refuse',
  'doubt',
  'lease_over',
  'again',
  'settle',
  'void',
  'attach',
]

const released = { owner: NO_OWNER, lease: -1 } as const

/** Everything the next step of one process can lead to. */
export function processMoves(scenario: Scenario, state: State, index: number): Move[] {
  const process = state.processes[index]
  if (process == null) return []
  const name = `${index} ${process.at}`
  switch (process.at) {
    case 'first':
      return [
        [name, afterClaim(scenario, state, index, process.seen as Row)],
        [
          `${index} give_up`,
          afterClaim(scenario, proceed(state, index, { tired: true }), index, process.seen as Row),
        ],
      ]
    case 'wait':
      return [
        ...(process.tired ? [] : [[name, lookUp(scenario, state, index)] as const]),
        ...(process.kind === 'loop'
          ? []
          : [[`${index} give_up`, answer(scenario, state, index, 'in_doubt')] as const]),
      ]
    case 'send':
      return sendMoves(scenario, state, index)
    case 'reply':
      return replyMoves(scenario, state, index)
    case 'sold':
      return soldMoves(scenario, state, index)
    case 'pause':
      return [[name, afterPause(scenario, state, index)]]
  }
  const moves: Move[] = [[name, onDisk(scenario, state, write(scenario, state, index), process)]]
  if (state.left.storeFaults > 0 && WRITES.includes(process.at)) {
    const faulty = use(state, 'storeFaults')
    moves.push([`${name} !before`, afterStoreFault(scenario, faulty, index)])
    // The write is made, and the process hears that the store failed.
    const written = onDisk(scenario, faulty, write(scenario, faulty, index), process)
    const kept = { ...faulty, rows: written.rows, tasks: written.tasks }
    moves.push([`${name} !after`, afterStoreFault(scenario, kept, index)])
  }
  return moves
}

/** A write that changed something is flushed, except for the record of a settlement that pays for no task. */
function onDisk(scenario: Scenario, before: State, after: State, { at, about }: Process): State {
  const isWritten = after.rows !== before.rows || after.tasks !== before.tasks
  const waits =
    at === 'record'
      ? before.rows[about]?.task !== 0
      : at !== 'claim' || scenario.corrections.has('claim-is-flushed')
  return isWritten && waits ? flushed(after) : after
}

/** The write itself, with the compare-and-set it makes, and what the process does next. */
function write(scenario: Scenario, state: State, index: number): State {
  const { kind, at, about, seen, mine, before, leaseFrom, atOnce } = state.processes[index] as Process
  const present = state.rows[about]
  const wait = (next: State) => proceed(next, index, { at: 'wait' })
  // What was not claimed at once reads the row, and the other one that may go first.
  const readOn = (next: State, read: readonly [boolean, boolean]) =>
    lookUp(scenario, proceed(withRead(next, index, read), index, { atOnce: false }), index)
  if (at === 'claim') {
    if (present !== null) return atOnce ? readOn(state, state.read[index] as [boolean, boolean]) : wait(state)
    const row = newRow(state, index)
    const next = withTask(withRow(state, about, row), taskOf(kind), about)
    return afterClaim(scenario, next, index, row)
  }
  const isMine = isUnmoved(seen, present)
  const change = (row: Partial<Row>): State => withRow(state, about, { ...(present as Row), ...row })
  const rowOf = (next: State) => next.rows[about] as Row
  switch (at) {
    case 'reclaim': {
      if (!isMine) return wait(state)
      const task = taskOf(kind)
      let next = change({
        owner: index,
        lease: leaseFrom,
        asks: askedValue(kind),
        task,
        bound: true,
        delivered: false,
      })
      if (scenario.corrections.has('task-shows-its-own-sale'))
        next = {
          ...next,
          tasks: [
            next.tasks[0] === about ? null : next.tasks[0],
            next.tasks[1] === about ? null : next.tasks[1],
          ],
        }
      next = withTask(next, task, about)
      return afterClaim(scenario, next, index, rowOf(next))
    }
    case 'unclaim':
      return answer(scenario, isMine ? change(unsent(seen as Row)) : state, index, 'store')
    case 'let_go': {
      const next = isMine ? change(unsent(seen as Row)) : state
      return atOnce ? readOn(next, [true, true]) : wait(next)
    }
    case 'seize': {
      const own = { about: authOf(kind), seen: mine, mine: null }
      return isMine
        ? prepare(scenario, proceed(change(unsent(seen as Row)), index, own), index)
        : wait(proceed(state, index, { mine: null }))
    }
    case 'oust':
      return goOn(isMine ? change(unsent(seen as Row)) : state, index, mine as Row, isMine ? null : seen)
    case 'start': {
      if (!isMine) return wait(state)
      const next = change({
        state: 'settling',
        lease: leaseFrom,
        owner: index,
        tries: (seen as Row).tries + 1,
      })
      const was = (seen as Row).state === 'refused' ? 'refused' : 'claimed'
      return proceed(next, index, { at: 'send', seen: rowOf(next), before: was })
    }
    case 'drop':
      if (!isMine) return wait(state)
      return answer(
        scenario,
        change((seen as Row).state === 'refused' ? released : unsent(seen as Row)),
        index,
        expired(state, about, seen),
      )
    case 'record':
      return record(scenario, state, index)
    case 'release': {
      const back = { state: before as RowState, tries: (seen as Row).tries - 1, ...released }
      return answer(scenario, isMine ? change(back) : state, index, isMine ? 'not_sent' : 'in_doubt')
    }
    case 'refuse':
      return answer(
        scenario,
        isMine ? change({ state: 'refused', ...released }) : state,
        index,
        isMine ? 'unpaid' : 'in_doubt',
      )
    case 'doubt':
      return answer(scenario, isMine ? change({ state: 'in_doubt', ...released }) : state, index, 'in_doubt')
    case 'lease_over': {
      const next = isMine ? change({ state: 'in_doubt', ...released }) : state
      const isOwnCall = about === authOf(kind)
      if (kind === 'loop' && !isMine) return answer(scenario, next, index, 'store')
      if (!isMine || !isOwnCall) return wait(next)
      return resolve(scenario, proceed(next, index, { seen: rowOf(next) }), index)
    }
    case 'again': {
      if (!isMine) return wait(state)
      const isDoubt = (seen as Row).state !== 'refused'
      const next = change({
        owner: index,
        lease: leaseFrom,
        ...(isDoubt ? { tries: (seen as Row).tries + 1 } : {}),
      })
      const hasRunOut = !isDoubt && !isValid(next, about)
      return proceed(next, index, {
        at: isDoubt ? 'send' : hasRunOut ? 'drop' : 'start',
        seen: rowOf(next),
        before: (seen as Row).state as Process['before'],
      })
    }
    case 'settle':
      return settle(scenario, state, index, isMine)
    case 'void': {
      const used = state.chains[about].use === 'paid'
      if (isMine) {
        const next = change({ state: 'void', used, ...released })
        return answerVoid(scenario, proceed(next, index, { seen: rowOf(next) }), index, rowOf(next))
      }
      if (present?.state === 'settled') return sell(state, index, present)
      return present?.state === 'void'
        ? answerVoid(scenario, state, index, present)
        : doubt(scenario, state, index)
    }
    case 'attach': {
      if (!isMine) return wait(state)
      const task = taskOf(kind)
      const next = withTask(
        change({ task: (seen as Row).task === 0 ? task : (seen as Row).task }),
        task,
        about,
      )
      return proceed(next, index, { at: 'sold', seen: rowOf(next) })
    }
    default:
      throw new Error(`no write: ${at}`)
  }
}

/** A row under which nothing was sent, as it is released. */
const unsent = ({ state, tries }: Row) =>
  ({ state: 'claimed', tries: state === 'settling' ? tries - 1 : tries, ...released }) as const

/** About to be sent: claimed and settling at once. */
function newRow(state: State, index: number): Row {
  const { kind, usedBefore, oldHead, leaseFrom, later } = state.processes[index] as Process
  return {
    state: 'settling',
    owner: index,
    lease: leaseFrom,
    tries: 1,
    asks: askedValue(kind),
    task: taskOf(kind),
    usedBefore,
    oldHead,
    delivered: false,
    since: 0,
    bound: true,
    restored: false,
    used: false,
    strange: false,
    later,
    durable: 'nothing',
  }
}

/** Settles a row by the chain's word. */
function settle(scenario: Scenario, state: State, index: number, isMine: boolean): State {
  const { about, settledIn } = state.processes[index] as Process
  const present = state.rows[about] as Row
  if (isMine) {
    const row: Row = { ...present, state: 'settled', since: settledIn, ...released }
    return sell(withRow(state, about, row), index, row)
  }
  return present.state === 'settled' ? sell(state, index, present) : doubt(scenario, state, index)
}

/** Settles a row by the facilitator's word, whatever the row has become. */
function record(scenario: Scenario, state: State, index: number): State {
  const { about, seen, triesLeft, settledIn } = state.processes[index] as Process
  const present = state.rows[about] as Row
  if (isUnmoved(seen, present)) {
    const row: Row = {
      ...present,
      ...{ state: 'settled', since: settledIn, ...released },
      durable: durableOf(scenario, present),
    }
    return sell(withRow(state, about, row), index, row)
  }
  if (triesLeft <= 1) return answer(scenario, state, index, 'in_doubt')
  return rerecord(proceed(state, index, { triesLeft: triesLeft - 1 }), index)
}

/** What a loss of power would leave of a row that is changed without a flush. */
function durableOf(
  { powerLosses }: Scenario,
  { state, owner, lease, delivered, durable }: Row,
): Row['durable'] {
  return powerLosses === undefined ? null : (durable ?? { state, owner, lease, delivered })
}

function rerecord(state: State, index: number): State {
  const { about } = state.processes[index] as Process
  const present = state.rows[about] as Row
  return present.state === 'settled'
    ? sell(state, index, present)
    : proceed(state, index, { at: 'record', seen: present })
}

function afterPause(scenario: Scenario, state: State, index: number): State {
  const { triesLeft } = state.processes[index] as Process
  return triesLeft <= 0 ? answer(scenario, state, index, 'in_doubt') : rerecord(state, index)
}

/** What the process does when the store fails under its write; before or after the write, it cannot tell. */
function afterStoreFault(scenario: Scenario, state: State, index: number): State {
  const { at, triesLeft, hasSent, about, seen, mine, kind } = state.processes[index] as Process
  const end = (how: Answer) => answer(scenario, state, index, how)
  const isDenialSafe = !scenario.corrections.has('denial-under-lease') || seen?.lease === state.clock
  switch (at) {
    case 'claim':
      return proceed(state, index, { at: 'unclaim', seen: newRow(state, index) })
    case 'unclaim':
    case 'reclaim':
    case 'let_go':
    case 'seize':
      return end('store')
    case 'oust':
      return mine?.state === 'settling'
        ? proceed(state, index, { at: 'unclaim', about: authOf(kind), seen: mine, mine: null })
        : end('store')
    case 'start':
      // A refusal may have been wrong, so "nothing was charged" cannot be said of it any more.
      return end(seen?.state === 'refused' ? 'in_doubt' : 'store')
    case 'record':
      return proceed(state, index, { at: 'pause', triesLeft: triesLeft - 1 })
    case 'release':
      return end(isDenialSafe ? 'not_sent' : 'in_doubt')
    case 'drop':
      return end('unpaid')
    case 'refuse':
      return end(isDenialSafe ? 'unpaid' : 'in_doubt')
    case 'attach':
    case 'again':
    case 'lease_over':
    case 'settle':
    case 'void':
      // A row of another authorization was at hand: its claim has not begun.
      return about !== (kind === 'again' ? 1 : 0) && !hasSent && seen !== null
        ? end('store')
        : end('in_doubt')
    default:
      return end('in_doubt')
  }
}

function sendMoves(scenario: Scenario, state: State, index: number): Move[] {
  const { replies = ['settled', 'unknown', 'unreached', 'refused'] } = scenario
  const { about, seen } = state.processes[index] as Process
  const moves: Move[] = []
  if (state.left.sends > 0) {
    const { use: used, air } = state.chains[about]
    let next = withChain(use(state, 'sends'), about, {
      sent: state.chains[about].sent || used === 'unused',
      air: air || (used === 'unused' && isValid(state, about)),
    })
    const denied: readonly [boolean, boolean] =
      about === 0 ? [false, next.denied[1]] : [next.denied[0], false]
    next = proceed({ ...next, denied }, index, { at: 'reply', hasSent: true, wasInAir: air })
    // Not so a process that was stopped for longer than its lease: the token takes what it sends only once.
    const isLate = seen?.lease !== state.clock
    const others =
      !isLate &&
      state.processes.some(
        (other, each) =>
          each !== index &&
          other?.at === 'reply' &&
          other.about === about &&
          other.seen?.lease === state.clock,
      )
    moves.push([
      `${index} send`,
      others ? withFault(next, 'two settlements of one authorization are under way') : next,
    ])
  }
  if (replies.includes('unreached')) {
    const unreached = proceed(state, index, { hasSent: true })
    moves.push([`${index} send unreached`, afterNotSent(scenario, unreached, index)])
  }
  return moves
}

function afterNotSent(scenario: Scenario, state: State, index: number): State {
  const { before } = state.processes[index] as Process
  return before === 'in_doubt' ? resolve(scenario, state, index) : proceed(state, index, { at: 'release' })
}

function replyMoves(scenario: Scenario, state: State, index: number): Move[] {
  const { replies = ['settled', 'unknown', 'unreached', 'refused'] } = scenario
  const { about, before, wasInAir } = state.processes[index] as Process
  const { use: used, air } = state.chains[about]
  const isAlone = !state.processes.some(
    (other, each) => each !== index && other?.at === 'reply' && other.about === about,
  )
  // A facilitator tells the truth of its own settlement; another one may still land.
  const mayDeny = used !== 'paid' && (used !== 'unused' || !air || (!wasInAir && isAlone))
  const isRepeat = before === 'in_doubt'
  const can: Record<Reply, boolean> = {
    settled:
      (used === 'paid' && state.chains[about].sent) || (used === 'unused' && air && isValid(state, about)),
    unknown: true,
    unreached: false,
    refused: mayDeny,
    word: mayDeny,
    word_lie: true,
  }
  return replies
    .filter((reply) => can[reply])
    .map((reply) => [
      `${index} reply ${reply}`,
      afterReply(scenario, landed(state, index, reply), index, reply, isRepeat),
    ])
}

/** What a truthful reply says of the chain. */
function landed(state: State, index: number, reply: Reply): State {
  const { about } = state.processes[index] as Process
  const { use: used } = state.chains[about]
  if (reply === 'settled' && used === 'unused') return withChain(state, about, { use: 'paid', air: false })
  return reply === 'refused' || reply === 'word'
    ? withChain(state, about, { air: false, ...(used === 'unused' ? { sent: false } : {}) })
    : state
}

function afterReply(scenario: Scenario, state: State, index: number, reply: Reply, isRepeat: boolean): State {
  if (reply === 'settled')
    return scenario.proofOnChain === true
      ? resolve(scenario, state, index)
      : proceed(state, index, { at: 'record', triesLeft: 3 })
  const isDoubtedWord = reply.startsWith('word') && scenario.corrections.has('unsent-is-doubtful')
  if (reply === 'unknown' || isDoubtedWord || isRepeat) return resolve(scenario, state, index)
  if (reply === 'refused') return proceed(state, index, { at: 'refuse' })
  return proceed(state, index, { at: 'release' })
}

function soldMoves(scenario: Scenario, state: State, index: number): Move[] {
  const { about, kind, seen } = state.processes[index] as Process
  const present = state.rows[about]
  const ended = withProcess(state, index, null)
  const value = `${about}${taskOf(kind) === 0 || kind === 'inband' ? '' : 't'}${askedValue(kind)}`
  const shown = state.shown.includes(value) ? state.shown : [...state.shown, value].toSorted()
  const watched = {
    ...ended,
    processes: ended.processes.map((other) => (other === null ? null : { ...other, sawDelivery: true })),
  }
  const marked =
    present?.state !== 'settled'
      ? watched
      : withRow(watched, about, {
          ...present,
          ...{ delivered: true, since: present.delivered ? present.since : state.phase },
          durable: durableOf(scenario, present),
        })
  const charged = state.chains[about].use === 'paid'
  const isEarlier = present?.usedBefore === true && !present.restored
  const delivered = { ...marked, shown }
  return [
    [
      `${index} deliver`,
      !charged
        ? withFault(delivered, 'a verdict was shown without a charge')
        : isEarlier
          ? withFault(delivered, 'a payment from before the claim released a verdict')
          : delivered,
    ],
    ...(seen?.delivered === true ? [] : [[`${index} lose`, ended] as const]),
  ]
}
