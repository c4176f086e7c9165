import { type Exploration, search } from './search.ts'

/** What keeps all that a day may lose and has lost below the daily loss limit, and the limit from being used up by nothing. */
export const TREASURY_RULES = {
  'held-at-once': 'Whether a reserve fits is asked and answered by the write that makes it.',
  'one-name': 'A second reserve for one nonce, after a crash, takes the place of the first.',
  once: 'A nonce is booked once, whichever process finds its receipt, also after a reorganisation.',
  'day-of-reserve': 'What a transaction lost counts on the day of its reserve, not of its receipt.',
  'dearest-replacement':
    'A reserve is for the dearest replacement of a transaction, not for the transaction alone.',
  upkeep: 'What frees a nonce or collects what is owed is reserved like a sale.',
  'moved-along': 'The reserve of a transaction that lost its nonce goes to the one that takes its place.',
  'last-part': 'Sales leave a part of the daily loss limit to upkeep, so that they cannot stop it.',
  'booked-first': 'A transaction leaves the journal after it was booked.',
} as const satisfies Record<string, string>

export type TreasuryRule = keyof typeof TREASURY_RULES

/** The newest nonce of one of two accounts that settle over one store. */
interface Nonce {
  /** `asked`: only where the write does not ask; `reserved`: lost by a crash; `signed`: in the journal. */
  readonly stage: 'free' | 'asked' | 'reserved' | 'signed' | 'mined'
  /** Payments in its transaction, each of which costs one and brings in one; 0 for upkeep, which costs one. */
  readonly size: number
  readonly isRaised: boolean
  /** Its transaction was signed again under another nonce. */
  readonly hasMoved: boolean
  readonly cost: number
  readonly income: number
  readonly isBooked: boolean
  /** The row in the store. */
  readonly reserve: { readonly day: number; readonly amount: number } | null
}

interface Sums {
  readonly reserved: number
  readonly lost: number
  /** Something was reserved for upkeep on this day. */
  readonly hasUpkeep: boolean
}

export interface TreasuryWorld {
  readonly said: null
  readonly day: number
  readonly days: readonly Sums[]
  readonly nonces: readonly Nonce[]
  readonly fault: string | null
}

type Move = readonly [action: string, state: TreasuryWorld]

export const DAILY_LOSS_LIMIT = 4
export const FOR_SALES = 3
const FREE: Nonce = {
  stage: 'free',
  size: 0,
  isRaised: false,
  hasMoved: false,
  cost: 0,
  income: 0,
  isBooked: false,
  reserve: null,
}
export const FIRST: TreasuryWorld = {
  said: null,
  day: 0,
  days: [
    { reserved: 0, lost: 0, hasUpkeep: false },
    { reserved: 0, lost: 0, hasUpkeep: false },
  ],
  nonces: [FREE, FREE],
  fault: null,
}

/** Two accounts reserve, sign, replace, give up and book, over midnight, crashes and reorganisations, in every order. */
export const exploreTreasury = (without?: TreasuryRule): Exploration =>
  search({
    first: FIRST,
    next: (state) => nextOf(state, without),
    encode: (state) => JSON.stringify(state),
    judge: violation,
    visit: () => {},
  })

/** Everything that can happen, with what it leads to. */
export const nextOf = (state: TreasuryWorld, without?: TreasuryRule): readonly Move[] => [
  ...(state.day === 0 ? [['midnight', { ...state, day: 1 }] as const] : []),
  ...state.nonces.flatMap((nonce, at) => moves(state, nonce, at, (rule) => rule !== without)),
]

function moves(
  state: TreasuryWorld,
  nonce: Nonce,
  at: number,
  holds: (rule: TreasuryRule) => boolean,
): Move[] {
  const to = (change: Partial<Nonce>, days = state.days): TreasuryWorld => ({
    ...state,
    days,
    nonces: state.nonces.map((each, index) => (index === at ? { ...nonce, ...change } : each)),
  })
  const add = (days: readonly Sums[], day: number, reserved: number, lost = 0) =>
    days.map((sums, index) =>
      index === day ? { ...sums, reserved: sums.reserved + reserved, lost: sums.lost + lost } : sums,
    )
  const { stage, size, reserve } = nonce
  const worstOf = (payments: number) =>
    payments === 0 ? (holds('upkeep') ? 1 : 0) : payments + (holds('dearest-replacement') ? 1 : 0)
  const fits = (days: readonly Sums[], payments: number) => {
    const { reserved, lost } = days[state.day] as Sums
    const budget = payments > 0 && holds('last-part') ? FOR_SALES : DAILY_LOSS_LIMIT
    return reserved + lost + worstOf(payments) <= budget
  }
  const hold = (payments: number): TreasuryWorld[] => {
    const isReplaced = reserve !== null && holds('one-name')
    const days = isReplaced ? add(state.days, reserve.day, -reserve.amount) : state.days
    if (holds('held-at-once') && !fits(days, payments)) {
      const refused = to({ reserve: isReplaced ? null : reserve }, days)
      const isStopped = payments === 0 && state.days[state.day]?.hasUpkeep === false
      return [isStopped ? { ...refused, fault: 'sales leave no budget for upkeep' } : refused]
    }
    const amount = worstOf(payments)
    const row = { day: state.day, amount }
    const held = add(days, state.day, amount).map((sums, day) =>
      payments === 0 && day === state.day ? { ...sums, hasUpkeep: true } : sums,
    )
    return [to({ stage: 'reserved', size: payments, reserve: row }, held)]
  }
  const book = (): TreasuryWorld[] => {
    const row = reserve ?? (holds('once') ? null : { day: state.day, amount: worstOf(size) })
    if (row === null) return []
    const loss = Math.max(nonce.cost - nonce.income, 0)
    const day = holds('day-of-reserve') ? row.day : state.day
    return [to({ reserve: null, isBooked: true }, add(state.days, day, -row.amount, loss))]
  }
  const lose = ({ day, amount }: NonNullable<Nonce['reserve']>): TreasuryWorld =>
    holds('moved-along')
      ? to({ hasMoved: true })
      : to({ hasMoved: true, reserve: { day, amount: 0 } }, add(state.days, day, -amount))
  const mine = (cost: number, income: number) => to({ stage: 'mined', cost, income })
  const named = (action: string, states: readonly TreasuryWorld[]) =>
    states.map((each): Move => [`${action} ${at}`, each])
  switch (stage) {
    case 'free':
      if (!holds('held-at-once'))
        return named(
          'ask',
          (at === 0 ? [1, 2] : [1, 2, 0])
            .filter((payments) => fits(state.days, payments))
            .map((payments) => to({ stage: 'asked', size: payments })),
        )
      return [
        ...named('reserve one', hold(1)),
        ...named('reserve two', hold(2)),
        // One account each has upkeep and loses nonces, which is enough for them to meet.
        ...named('reserve upkeep', at === 0 ? [] : hold(0)),
      ]
    case 'asked':
      return named('reserve', hold(size))
    case 'reserved':
      return [...named('sign', [to({ stage: 'signed' })]), ...named('crash', [to({ ...FREE, reserve })])]
    case 'signed': {
      const cost = Math.max(size, 1) + (nonce.isRaised ? 1 : 0)
      const isMoved = at === 0 && reserve !== null && !nonce.hasMoved
      return [
        ...named('raise', nonce.isRaised || size === 0 ? [] : [to({ isRaised: true })]),
        ...named('lose', isMoved ? [lose(reserve)] : []),
        ...named('mine paid', [mine(cost, size)]),
        ...named('mine unpaid', [mine(cost, 0)]),
        ...named('mine filler', [mine(1, 0)]),
      ]
    }
    case 'mined': {
      const ended = nonce.isBooked || !holds('booked-first') ? [to(FREE)] : []
      return [
        ...named('book', book()),
        ...named('drop', [to({ stage: 'signed', cost: 0, income: 0 })]),
        ...named(
          'end',
          ended.map((each) =>
            reserve === null ? each : { ...each, fault: 'a reserve is never given back' },
          ),
        ),
      ]
    }
  }
}

function violation({ days, nonces, fault }: TreasuryWorld): string | null {
  if (fault !== null) return fault
  for (const [day, { reserved, lost }] of days.entries()) {
    if (reserved + lost > DAILY_LOSS_LIMIT) return 'reserved and lost pass the daily loss limit'
    const open = nonces.reduce((sum, { reserve }) => sum + (reserve?.day === day ? reserve.amount : 0), 0)
    if (open !== reserved) return 'what is reserved is not what is open'
  }
  return null
}
