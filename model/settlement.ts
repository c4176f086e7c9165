import { type Exploration, search } from './search.ts'

/** What lets two processes settle with one key, over a chain that takes back and a node that lags and forgets. */
export const SETTLEMENT_RULES = {
  'journal-first': 'A transaction is in the journal before a node gets it.',
  'compare-and-set':
    'The journal is written only if it is still what was loaded, since the lock can be lost.',
  'failed-write-is-open': 'After a write whose answer is lost the outcome is open, and nothing is sent.',
  'pending-once': 'A call that is pending gets the hash of its transaction and is not signed again.',
  'after-all-pending': 'A new nonce comes after those of the journal, which the node may have forgotten.',
  'gap-is-given-up':
    'A nonce that a reorganisation gave back, and that no transaction has, is used up by a filler.',
  'lost-if-nowhere': 'A call is signed under another nonce only if no node knows its transaction.',
  'count-read-again':
    'That the nonce is used is asked once more after a node knew nothing of the transaction.',
  'stays-until-used': 'A transaction stays in the journal until its nonce is used.',
} as const satisfies Record<string, string>

export type SettlementRule = keyof typeof SETTLEMENT_RULES

/** A payment, both in one batch, or what only gives a nonce up. */
type Payment = 'a' | 'b'
type Call = Payment | 'ab' | 'filler'

/** A signed transaction is its content: nonce, call, and how often its fee was raised. */
interface Transaction {
  readonly nonce: number
  readonly call: Call
  readonly fee: number
}

/** A transaction of the journal; the ones it replaced count by their hashes. */
interface Entry {
  readonly nonce: number
  readonly sent: readonly Transaction[]
}

/** What a process does: sends a call, or offers again what is late. It has loaded the journal if `seen` is there. */
interface Work {
  readonly call: Call | null
  /** `made`: saved, and not handed to the node yet. */
  readonly stage: 'locked' | 'loaded' | 'made'
  /** Another process has written the journal since it was loaded. */
  readonly isStale: boolean
  readonly next: readonly Entry[]
  readonly raw: readonly Transaction[]
}

/** What nodes show of the used nonces: how many, up to which one they have receipts, and whether they then have the newest. */
interface View {
  readonly mined: number
  readonly found: number
  readonly hasNewest: boolean
}

type Answer = 'none' | 'open' | 'denied'

export interface SettlementWorld {
  readonly said: null
  /** By nonce; null is another program's with the same key. */
  readonly mined: readonly (Transaction | null)[]
  readonly pool: readonly Transaction[]
  readonly journal: readonly Entry[]
  readonly holder: number | null
  readonly processes: readonly (Work | null)[]
  readonly answers: Readonly<Record<Payment, Answer>>
  /** What may still go wrong, each once. */
  readonly faults: readonly Fault[]
  readonly asks: number
}

type Fault =
  | 'crash'
  | 'lose lock'
  | 'lose answer of a write'
  | 'another program'
  | 'take back'
  | 'take back and forget'
  | 'forget'
  | 'lag'
  | 'fall behind'

/** The searches: faults that may happen together, once each, and the rules without which the search finds something. */
export const SETTLEMENT_PLANS: readonly {
  readonly faults: readonly Fault[]
  readonly shows: readonly SettlementRule[]
}[] = [
  { faults: [], shows: ['journal-first', 'pending-once', 'after-all-pending', 'stays-until-used'] },
  { faults: ['crash', 'lose lock'], shows: ['compare-and-set'] },
  { faults: ['crash', 'lose answer of a write'], shows: ['failed-write-is-open'] },
  { faults: ['another program'], shows: [] },
  { faults: ['take back'], shows: [] },
  { faults: ['take back and forget'], shows: ['gap-is-given-up'] },
  { faults: ['forget', 'lag'], shows: [] },
  { faults: ['crash', 'fall behind'], shows: ['lost-if-nowhere', 'count-read-again'] },
]

type Move = readonly [action: string, state: SettlementWorld]
type Holds = (rule: SettlementRule) => boolean

const MOST_ASKS = 3
const MOST_FEE = 1

const newest = ({ sent }: Entry) => sent.at(-1) as Transaction
const same = (one: Transaction | null, other: Transaction) =>
  one !== null && one.nonce === other.nonce && one.call === other.call && one.fee === other.fee
const isMined = ({ mined }: SettlementWorld, sent: readonly Transaction[]) =>
  sent.some((each) => mined.some((taken) => same(taken, each)))
const upTo = (state: SettlementWorld, mined: number) => ({ ...state, mined: state.mined.slice(0, mined) })
const isKnown = (state: SettlementWorld, sent: readonly Transaction[]) =>
  isMined(state, sent) || sent.some((each) => state.pool.some((waiting) => same(waiting, each)))
const paymentsOf = (call: Call): readonly Payment[] =>
  call === 'filler' ? [] : call === 'ab' ? ['a', 'b'] : [call]
const batchOf = (payments: readonly Payment[]): Call => payments.join('') as Call
const carries = (transaction: Transaction | null, payment: Payment) =>
  transaction !== null && paymentsOf(transaction.call).includes(payment)
const isPaid = ({ mined }: Pick<SettlementWorld, 'mined'>, payment: Payment) =>
  mined.some((each) => carries(each, payment))

/** Two processes send two calls and maintain their journal, in every order, with some of the faults. */
export const exploreSettlement = (faults: readonly Fault[], without?: SettlementRule): Exploration => {
  const holds: Holds = (rule) => rule !== without
  return search({
    first: firstWith(faults),
    next: (state) => nextOf(state, holds),
    encode: (state) => JSON.stringify(state),
    judge: (state) =>
      violation(state, holds, (fault) => faults.includes(fault) && !state.faults.includes(fault)),
    visit: () => {},
  })
}

const firstWith = (faults: readonly Fault[]): SettlementWorld => ({
  said: null,
  mined: [],
  pool: [],
  journal: [],
  holder: null,
  processes: [null, null],
  answers: { a: 'none', b: 'none' },
  faults,
  asks: 0,
})

const nextOf = (state: SettlementWorld, holds: Holds): Move[] => [
  ...chainMoves(state),
  ...state.processes.flatMap((work, at) => [
    ...(work === null ? begin(state, at) : goOn(state, work, at, holds)),
    ...(work === null ? [] : spend(state, 'crash', (left) => stop(left, at)).map(numbered(at))),
  ]),
]

const numbered =
  (at: number) =>
  ([action, state]: Move): Move => [`${at} ${action}`, state]

const spend = (
  state: SettlementWorld,
  fault: Fault,
  change: (state: SettlementWorld) => SettlementWorld,
): Move[] =>
  state.faults.includes(fault)
    ? [[fault, change({ ...state, faults: state.faults.filter((each) => each !== fault) })]]
    : []

const put = (state: SettlementWorld, at: number, work: Work | null): SettlementWorld => ({
  ...state,
  processes: state.processes.map((each, index) => (index === at ? work : each)),
})
const unlock = (state: SettlementWorld, at: number): SettlementWorld =>
  state.holder === at ? { ...state, holder: null } : state
const stop = (state: SettlementWorld, at: number) => put(unlock(state, at), at, null)

function chainMoves(state: SettlementWorld): Move[] {
  const { mined, pool } = state
  const taken = mined.length
  const others = pool.filter(({ nonce }) => nonce > taken)
  const last = mined.at(-1)
  const takenBack = { ...state, mined: mined.slice(0, -1) }
  return [
    ...pool
      .filter(({ nonce }) => nonce === taken)
      .map((each): Move => [`mine ${nameOf(each)}`, { ...state, mined: [...mined, each], pool: others }]),
    ...spend(state, 'another program', (left) => ({ ...left, mined: [...mined, null], pool: others })),
    ...spend(state, 'forget', (left) => ({ ...left, pool: [] })),
    ...spend(state, 'lose lock', (left) => ({ ...left, holder: null })),
    ...(last === undefined || last === null
      ? []
      : [
          ...spend(state, 'take back', ({ faults }) => ({ ...takenBack, faults, pool: [...pool, last] })),
          ...spend(state, 'take back and forget', ({ faults }) => ({ ...takenBack, faults })),
        ]),
  ]
}

function begin(state: SettlementWorld, at: number): Move[] {
  if (state.holder !== null) return []
  const work = (call: Call | null): Work => ({ call, stage: 'locked', isStale: false, next: [], raw: [] })
  const locked = { ...state, holder: at }
  const ask = (call: Call): Move => [
    `${at} sends ${call}`,
    put({ ...locked, asks: state.asks + 1 }, at, work(call)),
  ]
  return [
    ...(state.asks < MOST_ASKS
      ? (['a', 'b', 'ab'] as const)
          .filter((call) => paymentsOf(call).every((each) => mayAsk(state, each)))
          .map(ask)
      : []),
    ...(state.journal.length > 0 ? [[`${at} maintains`, put(locked, at, work(null))] as const] : []),
  ]
}

/** A sale settles one authorization at a time, and not after the chain said that it is used or after it was denied. */
const mayAsk = (state: SettlementWorld, payment: Payment) =>
  state.answers[payment] !== 'denied' &&
  !isPaid(state, payment) &&
  state.processes.every((work) => !paymentsOf(work?.call ?? 'filler').includes(payment))

function goOn(state: SettlementWorld, work: Work, at: number, holds: Holds): Move[] {
  if (work.stage === 'locked') {
    const load = (view: View) => (left: SettlementWorld) =>
      work.call === null
        ? loadToMaintain(left, at, view, holds)
        : loadToSend(left, work.call, at, view.mined, holds)
    const mined = state.mined.length
    const before = mined - 1
    const now = load({ mined, found: mined, hasNewest: true })(state)
    if (mined === 0) return [[`${at} loads`, now]]
    const views: readonly (readonly [Fault, View])[] = [
      ['lag', { mined: before, found: before, hasNewest: true }],
      ['fall behind', { mined, found: before, hasNewest: true }],
      ['fall behind', { mined, found: before, hasNewest: false }],
    ]
    return [
      [`${at} loads`, now],
      ...views.flatMap(([fault, view]) => spend(state, fault, load(view)).map(numbered(at))),
    ]
  }
  if (work.stage === 'loaded') return save(state, work, at, holds)
  const fresh = work.raw.filter(({ nonce }) => nonce >= state.mined.length)
  const pool = [...state.pool.filter((each) => !fresh.some(({ nonce }) => nonce === each.nonce)), ...fresh]
  const handed = { ...state, pool: pool.toSorted((a, b) => a.nonce - b.nonce) }
  return [
    [
      `${at} hands over`,
      holds('journal-first') ? stop(handed, at) : put(handed, at, { ...work, stage: 'loaded', raw: [] }),
    ],
  ]
}

function loadToSend(
  state: SettlementWorld,
  call: Call,
  at: number,
  mined: number,
  holds: Holds,
): SettlementWorld {
  const pending = state.journal.filter(({ nonce }) => nonce >= mined)
  // The simulation before drops what is made, by what the same node knows.
  const asked = paymentsOf(call).filter((payment) => !isPaid(upTo(state, mined), payment))
  const answers = Object.fromEntries(asked.map((payment) => [payment, 'open' as const]))
  const open: SettlementWorld = { ...state, answers: { ...state.answers, ...answers } }
  const isFresh = (payment: Payment) =>
    !holds('pending-once') || !pending.some((entry) => carries(newest(entry), payment))
  const fresh = asked.filter(isFresh)
  if (fresh.length === 0) return stop(open, at)
  const nonce = freeNonce(state, mined, holds('after-all-pending') ? pending : [])
  const sent = [{ nonce, call: batchOf(fresh), fee: 0 }]
  const stage = holds('journal-first') ? 'loaded' : 'made'
  // One that lost its nonce is sent again here.
  const isSentAgain = (entry: Entry) => {
    const payments = paymentsOf(newest(entry).call)
    return payments.length > 0 && payments.every((payment) => fresh.includes(payment))
  }
  const others = state.journal.filter((entry) => entry.nonce >= mined || !isSentAgain(entry))
  const next = [...others, { nonce, sent }]
  return put(open, at, { call: batchOf(fresh), stage, isStale: false, next, raw: sent })
}

const freeNonce = ({ pool }: SettlementWorld, mined: number, pending: readonly Entry[]) =>
  Math.max(mined, ...pool.map(({ nonce }) => nonce + 1), ...pending.map(({ nonce }) => nonce + 1))

function loadToMaintain(state: SettlementWorld, at: number, view: View, holds: Holds): SettlementWorld {
  const { mined, found, hasNewest } = view
  let pending = state.journal.filter(({ nonce }) => nonce >= mined)
  const isWanted = (entry: Entry) =>
    paymentsOf(newest(entry).call).some(
      (payment) => !pending.some((other) => carries(newest(other), payment)),
    )
  const raw: Transaction[] = []
  for (const entry of state.journal.filter(({ nonce }) => nonce < mined)) {
    if (isMined(upTo(state, found), entry.sent)) continue
    const isLost = !holds('lost-if-nowhere') || !isKnown(hasNewest ? state : upTo(state, found), entry.sent)
    const isUsed = !holds('count-read-again') || (hasNewest ? mined : found) > entry.nonce
    if (!isLost || !isUsed) pending = [...pending, entry]
    else if (isWanted(entry)) {
      const again = { ...newest(entry), nonce: freeNonce(state, mined, pending), fee: 0 }
      pending = [...pending, { nonce: again.nonce, sent: [...entry.sent, again] }]
      raw.push(again)
    }
  }
  const waiting = pending.filter(({ nonce }) => nonce >= mined).toSorted((a, b) => a.nonce - b.nonce)
  const [oldest] = waiting
  if (oldest !== undefined) {
    const isGap = oldest.nonce > mined && !state.pool.some(({ nonce }) => nonce === mined)
    const offered = isGap
      ? { nonce: mined, call: 'filler' as const, fee: 0 }
      : offerAgain(state, newest(oldest))
    if (!isGap || holds('gap-is-given-up')) {
      raw.push(offered)
      const entry = isGap
        ? { nonce: mined, sent: [offered] }
        : { ...oldest, sent: [...oldest.sent.filter((each) => !same(each, offered)), offered] }
      pending = [...pending.filter((each) => isGap || each !== oldest), entry]
    }
  }
  if (!holds('stays-until-used')) pending = pending.filter((entry) => !isKnown(state, entry.sent))
  const next = pending.toSorted((a, b) => a.nonce - b.nonce)
  return put(state, at, { call: null, stage: 'loaded', isStale: false, next, raw })
}

/** A node that has it and is slow gets it at a higher fee. */
const offerAgain = (state: SettlementWorld, sent: Transaction): Transaction =>
  isKnown(state, [sent]) && sent.fee < MOST_FEE ? { ...sent, fee: sent.fee + 1 } : sent

function save(state: SettlementWorld, work: Work, at: number, holds: Holds): Move[] {
  const isCurrent = !work.isStale || !holds('compare-and-set')
  const processes = state.processes.map((each) =>
    each?.stage === 'loaded' ? { ...each, isStale: true } : each,
  )
  const written = { ...state, journal: work.next, processes }
  const made = (left: SettlementWorld) =>
    put(unlock(left, at), at, { ...work, stage: 'made', isStale: false, next: [] })
  const denied = Object.fromEntries(
    paymentsOf(work.call ?? 'filler').map((each) => [each, 'denied' as const]),
  )
  const failed = (left: SettlementWorld): SettlementWorld =>
    holds('failed-write-is-open') || work.call === null
      ? stop(left, at)
      : stop({ ...left, answers: { ...left.answers, ...denied } }, at)
  if (!isCurrent) return [[`${at} cannot save`, stop(state, at)]]
  return [
    [`${at} saves`, holds('journal-first') || work.call === null ? made(written) : stop(written, at)],
    ...spend(state, 'lose answer of a write', ({ faults }) => failed({ ...written, faults })).map(
      numbered(at),
    ),
    ...spend(state, 'lose answer of a write', failed).map(numbered(at)),
  ]
}

const nameOf = ({ nonce, call, fee }: Transaction) => `${call} under ${nonce}${fee === 0 ? '' : ', raised'}`

function violation(state: SettlementWorld, holds: Holds, has: (fault: Fault) => boolean): string | null {
  const { answers, journal, mined, pool } = state
  // A block that is taken back gives a call back that had ended, and may be sent again.
  const hasTakenBack = has('take back') || has('take back and forget')
  for (const call of ['a', 'b'] as const) {
    if (answers[call] === 'denied' && isPaid(state, call)) return 'what was denied was paid'
  }
  const isInVain = (each: Transaction | null, at: number) =>
    each !== null &&
    each.call !== 'filler' &&
    // A batch that lost its nonce is signed again whole, also where one of its payments was sent again alone.
    !(each.call === 'ab' && has('another program')) &&
    paymentsOf(each.call).every((payment) => isPaid({ mined: mined.slice(0, at) }, payment))
  if (mined.some(isInVain) && !has('lag') && !hasTakenBack)
    return 'gas was spent on payments that were made before'
  const isJournalled = (each: Transaction) => journal.some(({ sent }) => sent.some((own) => same(own, each)))
  if (!hasTakenBack && !pool.every(isJournalled))
    return 'a node has a transaction that the journal does not know'
  if (new Set(journal.map(({ nonce }) => nonce)).size < journal.length)
    return 'two transactions have one nonce'
  return healed(state, holds)
}

/** All faults end, and one process goes on alone: everything that was written down is paid or given up. */
function healed(state: SettlementWorld, holds: Holds): string | null {
  const payments = state.journal.flatMap((entry) => paymentsOf(newest(entry).call))
  let world: SettlementWorld = { ...state, faults: [], holder: null, processes: [null, null] }
  for (let round = 0; world.journal.length > 0; round += 1) {
    if (round > MOST_ROUNDS) return 'the journal never ends'
    const mined = world.mined.length
    const loaded = loadToMaintain({ ...world, holder: 0 }, 0, { mined, found: mined, hasNewest: true }, holds)
    const saved = save(loaded, loaded.processes[0] as Work, 0, holds)[0]?.[1] as SettlementWorld
    const handed = goOn(saved, saved.processes[0] as Work, 0, holds)[0]?.[1] as SettlementWorld
    world = { ...handed, ...mineAll(handed) }
  }
  return payments.some((payment) => !isPaid(world, payment)) ? 'what was written down is never paid' : null
}

const MOST_ROUNDS = 12

function mineAll({ mined, pool }: SettlementWorld): Pick<SettlementWorld, 'mined' | 'pool'> {
  const all = [...mined]
  for (const each of pool) if (each.nonce === all.length) all.push(each)
  return { mined: all, pool: pool.filter(({ nonce }) => nonce >= all.length) }
}
