import { refusalOf } from '../purchase/receipt.ts'
import { askChain } from '../table/ask-chain.ts'
import { declined, pausedForTheDay, unpaid } from '../table/outcomes.ts'
import { answer, type Next, type SaleRun } from '../table/sale-context.ts'

export async function checkNewcomer(run: SaleRun): Promise<Next | null> {
  const { context, attempt } = run
  run.isNewcomer = await context.newcomers.isOne(attempt.key)
  if (!run.isNewcomer) return null
  if (context.newcomersWait?.()) return answer(pausedForTheDay(context.now()))
  const seconds =
    context.newcomersWait && context.newcomers.failures.waitSeconds(attempt.call.client, context.now())
  if (seconds) return answer(declined('sales_paused', seconds))
  if (!context.newcomers.hasRoom()) return answer(declined('facilitator_unavailable'))
  if (await hasFunds(run)) return null
  context.refusals.note(attempt.key.payer, context.now())
  const code = 'payment_insufficient_funds'
  const refused = unpaid(context, attempt, code)
  // Without a row, the task can show the code alone, so this answer shows no more either.
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
