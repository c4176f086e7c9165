import { type Exploration, search } from './search.ts'

/** What keeps reserved and lost together below the fuse, and the fuse from being used up by nothing. */
export const TREASURY_RULES = {
  'held-at-once': 'Whether a reserve fits is asked and answered by the write that makes it.',
  'one-name': 'A second reserve for one nonce, after a crash, takes the place of the first.',
  once: 'A nonce is booked once, whichever process finds its receipt, also after a reorganisation.',
  'day-of-reserve': 'What a transaction lost counts on the day of its reserve, not of its receipt.',
  'no-more-than-reserved': 'What a replacement or a data fee costs above the reserve is counted apart.',
  'booked-first': 'A transaction leaves the journal after it was booked.',
} as const satisfies Record<string, string>

export type TreasuryRule = keyof typeof TREASURY_RULES

/** The newest nonce of one of two accounts that settle over one store. */
interface Nonce {
  /** `asked`: only where the write does not ask; `reserved`: lost by a crash; `signed`: in the journal. */
  readonly stage: 'free' | 'asked' | 'reserved' | 'signed' | 'mined'
  /** Payments in its transaction, each of which costs one and brings in one. */
  readonly size: number
  readonly isRaised: boolean
  readonly cost: number
  readonly income: number
  readonly isBooked: boolean
  /** The row in the store. */
  readonly reserve: { readonly day: number; readonly amount: number } | null
}

interface Sums {
  readonly reserved: number
  readonly lost: number
}

export interface TreasuryWorld {
  readonly said: null
  readonly day: number
  readonly days: readonly Sums[]
  readonly nonces: readonly Nonce[]
  readonly fault: string | null
}

type Move = readonly [action: string, state: TreasuryWorld]

export const FUSE = 3
const FREE: Nonce = {
  stage: 'free',
  size: 0,
  isRaised: false,
  cost: 0,
  income: 0,
  isBooked: false,
  reserve: null,
}
export const FIRST: TreasuryWorld = {
  said: null,
  day: 0,
  days: [
    { reserved: 0, lost: 0 },
    { reserved: 0, lost: 0 },
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
      index === day ? { reserved: sums.reserved + reserved, lost: sums.lost + lost } : sums,
    )
  const { stage, size, reserve } = nonce
  const fits = (days: readonly Sums[], worst: number) => {
    const { reserved, lost } = days[state.day] as Sums
    return reserved + lost + worst <= FUSE
  }
  const hold = (worst: number): TreasuryWorld[] => {
    const isReplaced = reserve !== null && holds('one-name')
    const days = isReplaced ? add(state.days, reserve.day, -reserve.amount) : state.days
    if (holds('held-at-once') && !fits(days, worst))
      return [to({ reserve: isReplaced ? null : reserve }, days)]
    const row = { day: state.day, amount: worst }
    return [to({ stage: 'reserved', size: worst, reserve: row }, add(days, state.day, worst))]
  }
  const book = (): TreasuryWorld[] => {
    const row = reserve ?? (holds('once') ? null : { day: state.day, amount: size })
    if (row === null) return []
    const loss = Math.max(nonce.cost - nonce.income, 0)
    const lost = holds('no-more-than-reserved') ? Math.min(loss, row.amount) : loss
    const day = holds('day-of-reserve') ? row.day : state.day
    return [to({ reserve: null, isBooked: true }, add(state.days, day, -row.amount, lost))]
  }
  const mine = (cost: number, income: number) => to({ stage: 'mined', cost, income })
  const named = (action: string, states: readonly TreasuryWorld[]) =>
    states.map((each): Move => [`${action} ${at}`, each])
  switch (stage) {
    case 'free':
      if (!holds('held-at-once'))
        return named(
          'ask',
          [1, 2]
            .filter((worst) => fits(state.days, worst))
            .map((worst) => to({ stage: 'asked', size: worst })),
        )
      return [...named('reserve one', hold(1)), ...named('reserve two', hold(2))]
    case 'asked':
      return named('reserve', hold(size))
    case 'reserved':
      return [...named('sign', [to({ stage: 'signed' })]), ...named('crash', [to({ ...FREE, reserve })])]
    case 'signed': {
      const cost = size + (nonce.isRaised ? 1 : 0)
      return [
        ...named('raise', nonce.isRaised ? [] : [to({ isRaised: true })]),
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
    if (reserved + lost > FUSE) return 'reserved and lost pass the fuse'
    const open = nonces.reduce((sum, { reserve }) => sum + (reserve?.day === day ? reserve.amount : 0), 0)
    if (open !== reserved) return 'what is reserved is not what is open'
  }
  return null
}
