import { boundedCache } from '../../../bounded-cache.ts'
import type { Ledger } from '../../../ledger/ledger.ts'
import type { PaymentKey } from '../../../ledger/payment-row.ts'
import { FACILITATOR_CONNECTIONS } from '../../facilitators/http/http-facilitator.ts'

/** Payers without a settled payment here: a settlement of theirs may be in vain, and costs them nothing. */
export interface Newcomers {
  isOne(payer: PaymentKey): Promise<boolean>
  /** Whether this process remembers the payer as having paid, and has not seen the nonce; from here on it has. */
  isNextOf(payment: PaymentKey): boolean
  /** Asks the store again for this payer. */
  forget(payer: PaymentKey): void
  hasRoom(): boolean
  /** Counts a settlement as under way until the result is called. */
  enter(): () => void
}

/** Settlements of newcomers under way at once; the other connections are for payers who have paid. */
const MOST_SETTLEMENTS = (FACILITATOR_CONNECTIONS * 3) / 4
/** Payers remembered as having paid, and nonces as seen; the store knows the others. */
const MOST_REMEMBERED = 10_000

export function createNewcomers(
  ledger: Pick<Ledger, 'hasSettled'>,
  { mostPayers = MOST_REMEMBERED }: { readonly mostPayers?: number } = {},
): Newcomers {
  const paid = boundedCache<true>(mostPayers)
  const seen = boundedCache<true>(MOST_REMEMBERED)
  const nameOf = ({ network, asset, payer }: PaymentKey) => `${network}/${asset}/${payer}`
  let underWay = 0
  return {
    async isOne(payer) {
      if (paid.get(nameOf(payer))) return false
      if (!(await ledger.hasSettled(payer))) return true
      paid.set(nameOf(payer), true)
      return false
    },
    isNextOf(payment) {
      const isSeen = seen.has(payment.nonce)
      seen.set(payment.nonce, true)
      return !isSeen && paid.has(nameOf(payment))
    },
    forget: (payer) => void paid.delete(nameOf(payer)),
    hasRoom: () => underWay < MOST_SETTLEMENTS,
    enter() {
      underWay += 1
      return () => {
        underWay -= 1
      }
    },
  }
}
