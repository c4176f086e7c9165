import { refusalOf } from '../purchase/receipt.ts'
import { askChain } from '../table/ask-chain.ts'
import { declined, pausedForTheDay, unpaid } from '../table/outcomes.ts'
import { answer, isLossLimitReached, type Next, type SaleRun } from '../table/sale-context.ts'

/** Why a payer without a settled sale must wait or pay otherwise; null if nothing is in the way. */
export async function checkNewPayer(run: SaleRun): Promise<Next | null> {
  const { context, attempt } = run
  const { losses, newPayers, now } = context
  if (isLossLimitReached(losses)) return answer(pausedForTheDay(now()))
  const seconds = losses.paidBy === 'us' ? newPayers.failures.waitSeconds(attempt.call.client, now()) : 0
  if (seconds > 0) return answer(declined('sales_paused', seconds))
  // What is full are the connections to the facilitator.
  if (!newPayers.hasCapacity()) return answer(declined('facilitator_unavailable'))
  if (await hasFunds(run)) return null
  context.refusals.note(attempt.key.payer, context.now())
  const code = 'payment_insufficient_funds'
  const refused = unpaid(context, attempt, code)
  // Without a row, the task can show the code alone.
  if (attempt.call.task) return answer(refused)
  return answer({ ...refused, settlement: refusalOf(attempt.key.network, attempt.key.payer, code) })
}

/** True if the node does not answer: the settlement will tell. */
function hasFunds({ context, attempt }: SaleRun): Promise<boolean> {
  const { from, value } = attempt.payment.authorization
  return askChain(
    context,
    async () => (await context.chain.balance(from)) >= value,
    () => true,
  )
}
