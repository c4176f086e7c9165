import { boundedCache } from '../../bounded-cache.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import type { PaymentKey } from '../../ledger/payment-row.ts'
import { ChainUnavailable, type Hex } from '../chain/chain-reader.ts'
import { FACILITATOR_CONNECTIONS } from '../facilitators/http-facilitator.ts'
import { declined, unpaid } from './outcomes.ts'
import { refusalOf } from './receipt.ts'
import { answer, type Next, type SaleRun } from './sale-context.ts'

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

/** What keeps a newcomer's payment from being claimed: no money in the account, or too many others like it. */
export async function checkNewcomer(run: SaleRun): Promise<Next | null> {
  const { context, attempt } = run
  run.isNewcomer = await context.newcomers.isOne(attempt.key)
  if (!run.isNewcomer) return null
  if (!context.newcomers.hasRoom()) return answer(declined('facilitator_unavailable'))
  if (await hasFunds(run)) return null
  context.refusals.note(attempt.key.payer, context.now())
  const code = 'payment_insufficient_funds'
  const refused = unpaid(context, attempt, code)
  // A task that ends without a payment row shows the code alone, now and on every later look.
  if (attempt.call.taskFor(attempt.key) !== undefined) return answer(refused)
  return answer({ ...refused, settlement: refusalOf(attempt.key.payer, code) })
}

/** A node that does not answer is no reason to refuse: the settlement will tell. */
async function hasFunds({ context, attempt }: SaleRun): Promise<boolean> {
  const { from, value } = attempt.payment.authorization
  try {
    return (await context.chain.balance(from as Hex)) >= value
  } catch (error) {
    if (!(error instanceof ChainUnavailable)) throw error
    context.report({ event: 'chain_unavailable' })
    return true
  }
}
