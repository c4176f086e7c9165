import { boundedCache } from '../../../caches/bounded-cache.ts'
import type { Ledger } from '../../../ledger/ledger.ts'
import type { PaymentKey } from '../../../ledger/payments/payment-row.ts'
import { DAY_MS } from '../../../values/utc-days.ts'
import { FACILITATOR_CONNECTIONS } from '../../facilitators/http/http-facilitator.ts'
import { accountOf } from './account-shares.ts'
import { createRefusalLimiter, type RefusalLimiter } from './refusal-limiter.ts'

/** Payers without a settled payment here: their settlements may fail, which costs them nothing. */
export interface NewPayers {
  includes(payer: PaymentKey): Promise<boolean>
  /** Whether this process knows that the payer has paid, and sees the nonce for the first time. */
  isNextOf(payment: PaymentKey): boolean
  forget(payer: PaymentKey): void
  /** Whether another settlement of a new payer may start. */
  hasCapacity(): boolean
  /** Counts the failed settlements of a client's new payers, each of which costs gas. */
  readonly failures: RefusalLimiter
  /** Counts a settlement as under way until the result is called. */
  enter(): () => void
}

/** Settlements of new payers at once; the other connections are for payers who have paid. */
const MOST_SETTLEMENTS = (FACILITATOR_CONNECTIONS * 3) / 4
const MOST_REMEMBERED = 10_000
/** Of one client address in a day. */
const MOST_FAILURES = 16

export function createNewPayers(
  ledger: Pick<Ledger, 'hasSettled'>,
  { mostPayers = MOST_REMEMBERED }: { readonly mostPayers?: number } = {},
): NewPayers {
  const paid = boundedCache<true>(mostPayers)
  const seen = boundedCache<true>(MOST_REMEMBERED)
  let underWay = 0
  return {
    async includes(payer) {
      if (paid.get(accountOf(payer))) return false
      if (!(await ledger.hasSettled(payer))) return true
      paid.set(accountOf(payer), true)
      return false
    },
    isNextOf(payment) {
      const isSeen = seen.has(payment.nonce)
      seen.set(payment.nonce, true)
      return !isSeen && paid.has(accountOf(payment))
    },
    forget: (payer) => void paid.delete(accountOf(payer)),
    failures: createRefusalLimiter(DAY_MS, MOST_FAILURES),
    hasCapacity: () => underWay < MOST_SETTLEMENTS,
    enter() {
      underWay += 1
      return () => {
        underWay -= 1
      }
    },
  }
}
