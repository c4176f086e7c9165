import { boundedCache } from '../../../bounded-cache.ts'
import type { Ledger } from '../../../ledger/ledger.ts'
import type { PaymentKey } from '../../../ledger/payment-row.ts'
import { FACILITATOR_CONNECTIONS } from '../../facilitators/http/http-facilitator.ts'

/** Payers without a settled payment here: a settlement of theirs may be in vain, and costs them nothing. */
export interface Newcomers {
  /** Whether no payment of this payer was settled here yet. */
  isOne(payer: PaymentKey): Promise<boolean>
  /** Whether one more of their settlements may be under way. */
  hasRoom(): boolean
  /** Counts a settlement as under way until the result is called. */
  enter(): () => void
}

/** Settlements of newcomers under way at once; the other connections are for payers who have paid. */
const MOST_SETTLEMENTS = (FACILITATOR_CONNECTIONS * 3) / 4
/** Payers remembered as having paid; the store knows the others. */
const MOST_PAYERS = 10_000

/** Remembers who has paid, and counts the settlements of the others that are under way in this process. */
export function createNewcomers(
  ledger: Pick<Ledger, 'hasSettled'>,
  { mostPayers = MOST_PAYERS }: { readonly mostPayers?: number } = {},
): Newcomers {
  const paid = boundedCache<true>(mostPayers)
  let underWay = 0
  return {
    async isOne(payer) {
      const name = `${payer.asset}/${payer.payer}`
      if (paid.get(name)) return false
      if (!(await ledger.hasSettled(payer))) return true
      paid.set(name, true)
      return false
    },
    hasRoom: () => underWay < MOST_SETTLEMENTS,
    enter() {
      underWay += 1
      return () => {
        underWay -= 1
      }
    },
  }
}
