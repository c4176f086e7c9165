import { NO_LEASE, type PaymentRow } from '../../../ledger/payment-row.ts'
import { PROMISES } from '../../ports/promises.ts'
import type { Sale } from '../../ports/sale.ts'
import { lostSalesOf, walletsOf } from '../limits/refusal-limiter.ts'
import { askChain } from '../table/ask-chain.ts'
import { declined, inDoubt } from '../table/outcomes.ts'
import { answer, LOOK_AGAIN, type Next, type SaleRun } from '../table/sale-context.ts'
import { mayHavePaidLately } from './paid-lately.ts'

/**
 * "Nothing was charged" must stay true although another request with the same authorization may be slow: it may have
 * passed the same conditions when they still held. Two things keep it from sending after such an answer. The row it
 * has seen is changed before the answer, and it looks at the time once more before it sends.
 */
export async function fenced(run: SaleRun, row: PaymentRow, obstacle: Next): Promise<Next> {
  if (obstacle.kind !== 'answer') return obstacle
  const { ledger } = run.context
  if (row.owner !== null) return (await ledger.move(row, NO_LEASE)) === null ? LOOK_AGAIN : obstacle
  // A request that takes a row without an owner from here on looks at the time after that.
  const present = await ledger.find(row)
  return present?.state === row.state && present.owner === null ? obstacle : LOOK_AGAIN
}

/**
 * The same where there is no row to change: one that was written meanwhile has the word. A client that signs
 * again would pay twice for a payment that a store put back from a backup no longer knows, so the chain is asked first.
 */
export async function fencedUnseen(run: SaleRun, obstacle: Next): Promise<Next> {
  if (obstacle.kind !== 'answer') return obstacle
  if (obstacle.sale.kind !== 'unpaid' && !deniesCharge(obstacle.sale)) return obstacle
  const said = await unlessUsed(run, obstacle)
  return (await run.context.ledger.find(run.attempt.key)) === null ? said : LOOK_AGAIN
}

/** What stops a payment that was never sent by what the store knows, unless the chain shows it as used. */
export async function unlessUsed(run: SaleRun, obstacle: Next): Promise<Next> {
  if (obstacle.kind !== 'answer' || obstacle.sale.kind !== 'unpaid') return obstacle
  const { chain } = run.context
  const { from, nonce } = run.attempt.payment.authorization
  return askChain(
    run.context,
    async () => ((await chain.authorizationUsed(from, nonce)) ? answer(await sayWhatFor(run)) : obstacle),
    async () => answer(await inDoubt(run)),
  )
}

/** A search of logs costs a node more than a question does, so each counts like a refusal. */
async function sayWhatFor(run: SaleRun): Promise<Sale> {
  const { refusals, chain, now } = run.context
  const { key, call, payment, recovered } = run.attempt
  const name = recovered ? lostSalesOf(key.payer) : walletsOf(call.client)
  const wait = refusals.waitSeconds(name, now())
  if (wait > 0) return declined('too_many_requests', wait)
  refusals.note(name, now())
  return (await mayHavePaidLately(chain, payment.authorization))
    ? inDoubt(run)
    : declined('payment_already_used')
}

const deniesCharge = (sale: Sale): boolean => sale.kind !== 'sold' && PROMISES[sale.code] === 'never'
