import { ERRORS } from '../../../errors.ts'
import { NO_LEASE, type PaymentRow } from '../../../ledger/payments/payment-row.ts'
import type { Authorization } from '../../authorization/authorization.ts'
import { CLOCK_SKEW_SECONDS, LONGEST_VALIDITY_SECONDS } from '../../authorization/validity-window.ts'
import type { ChainReader } from '../../chain/chain-reader.ts'
import type { Sale } from '../../ports/sale.ts'
import { mayBeLostSale } from '../../recovery/lost-sale.ts'
import { blockBefore } from '../../recovery/search-start.ts'
import { lostSalesOf, walletsOf } from '../limits/refusal-limiter.ts'
import { askChain } from '../table/ask-chain.ts'
import { declined, inDoubt } from '../table/outcomes.ts'
import { answer, type Next, READ_AGAIN, type SaleRun } from '../table/sale-context.ts'

/**
 * A slower request with the same authorization may have passed these conditions while they still held. The row is
 * changed before the answer, so that its own change fails; and it checks the time once more before it sends.
 */
export async function guardNotCharged(run: SaleRun, row: PaymentRow, obstacle: Next): Promise<Next> {
  if (obstacle.kind !== 'answer') return obstacle
  const { ledger } = run.context
  if (row.owner !== null) return (await ledger.move(row, NO_LEASE)) === null ? READ_AGAIN : obstacle
  // A request that takes a row without an owner after this read checks the time after it, too.
  const present = await ledger.find(row)
  return present?.state === row.state && present.owner === null ? obstacle : READ_AGAIN
}

/**
 * For an authorization without a row. A row that was written meanwhile decides. The chain is asked too: a restored
 * store lacks its newest payments, and a client that signs again would pay twice.
 */
export async function guardUnseen(run: SaleRun, obstacle: Next): Promise<Next> {
  if (obstacle.kind !== 'answer') return obstacle
  if (obstacle.sale.kind !== 'unpaid' && !deniesCharge(obstacle.sale)) return obstacle
  const said = await checkUnused(run, obstacle)
  return (await run.context.ledger.find(run.attempt.key)) === null ? said : READ_AGAIN
}

/** Turns an answer "not paid" into another one if the chain shows the authorization as used. */
export async function checkUnused(run: SaleRun, obstacle: Next): Promise<Next> {
  if (obstacle.kind !== 'answer' || obstacle.sale.kind !== 'unpaid') return obstacle
  const { chain } = run.context
  const { from, nonce } = run.attempt.payment.authorization
  return askChain(
    run.context,
    async () => ((await chain.authorizationUsed(from, nonce)) ? answer(await sayWhatFor(run)) : obstacle),
    async () => answer(await inDoubt(run)),
  )
}

/** A search of logs is expensive for a node, so each one counts like a refusal. */
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

/**
 * True if the logs show a sale of this service, or if there are none, as at a node that indexes late. Blocks more than
 * `LONGEST_VALIDITY_SECONDS` before the end are not searched. Rejects with `ChainUnavailable`.
 */
export async function mayHavePaidLately(chain: ChainReader, authorization: Authorization): Promise<boolean> {
  const { from, nonce, to, value } = authorization
  const validBefore = Number(authorization.validBefore)
  const head = await chain.head()
  const isTooLong = validBefore > head.timestamp + LONGEST_VALIDITY_SECONDS + CLOCK_SKEW_SECONDS
  if (isTooLong || !mayBeLostSale(validBefore, head)) return false
  const fromBlock = await blockBefore(chain, head, validBefore - LONGEST_VALIDITY_SECONDS)
  const range = { fromBlock, toBlock: head.number }
  const trace = await chain.trace({ payer: from, nonce, payTo: to, amount: value, ...range })
  return trace.kind === 'used' && (trace.payments.length > 0 || trace.elsewhere.length === 0)
}

const deniesCharge = (sale: Sale): boolean => sale.kind !== 'sold' && ERRORS[sale.code].promise === 'never'
