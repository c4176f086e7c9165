import type { Hex } from 'viem'
import { endOf, type PaymentRow } from '../../../ledger/payments/payment-row.ts'
import { type Resolution, resolvePayment } from '../../recovery/resolve-payment.ts'
import { lostSalesOf } from '../limits/refusal-limiter.ts'
import { askChain } from '../table/ask-chain.ts'
import { declined } from '../table/outcomes.ts'
import { answer, event, learned, type Next, type SaleRun } from '../table/sale-context.ts'
import type { SaleEvent } from '../table/sale-table.ts'

/** How long after the end of an authorization a node may still not know what became of it. */
const END_MARGIN_MS = 60_000

/**
 * If this request has sent nothing and the authorization is over, a search that found nothing will hardly find more a
 * moment later, and costs a node many calls: the fourth in a minute must wait.
 */
export async function readChain(run: SaleRun, row: PaymentRow): Promise<Next> {
  const { refusals, now, report } = run.context
  const { sent } = run.charge
  if (sent) report({ event: run.denied ? 'settlement_unconfirmed' : 'settlement_doubtful', ...run.symptom })
  if (sent || endOf(row) * 1000 > now() - END_MARGIN_MS) return read(run, row)
  const name = lostSalesOf(row.payer)
  const wait = refusals.waitSeconds(name, now())
  if (wait > 0) return answer(declined('too_many_requests', wait))
  const next = await read(run, row)
  if (next.kind === 'event' && next.event === 'unknown') refusals.note(name, now())
  return next
}

function read(run: SaleRun, row: PaymentRow): Promise<Next> {
  const ask = async () => {
    const resolution = await resolvePayment(run.context, row)
    return event(EVENT_OF[resolution.kind], resolution.row)
  }
  return askChain(run.context, ask, () => event('unknown', row))
}

const EVENT_OF = {
  settled: 'paid',
  void: 'voided',
  unused: 'unused',
  unexplained: 'unknown',
} as const satisfies Record<Resolution['kind'], SaleEvent>

export async function readBalance(run: SaleRun, row: PaymentRow): Promise<Next> {
  if (!(await cannotPay(run, row))) return event('unknown', row)
  return learned('refused', row, { refusal: 'payment_insufficient_funds' })
}

/** Reads the balance before the state: a balance that this very payment has made low must not count. */
function cannotPay({ context }: SaleRun, row: PaymentRow): Promise<boolean> {
  const { chain, ledger } = context
  const ask = async () => {
    if ((await chain.balance(row.payer as Hex)) >= row.amount) return false
    const isSent = (await ledger.find(row))?.transaction != null
    return !isSent && !(await chain.authorizationUsed(row.payer as Hex, row.nonce as Hex))
  }
  return askChain(context, ask, () => false)
}
