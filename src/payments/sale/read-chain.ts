import type { PaymentRow } from '../../ledger/payment-row.ts'
import type { Hex } from '../chain/chain-reader.ts'
import { resolvePayment } from '../recovery/resolve.ts'
import { askChain } from './ask-chain.ts'
import { declined } from './outcomes.ts'
import { lostSalesOf } from './refusal-limiter.ts'
import { answer, event, type Next, type SaleRun } from './sale-context.ts'
import type { SaleEvent } from './sale-table.ts'

/**
 * Reads the chain for a row before this request has sent anything. A search that explains nothing once the authorization
 * is over will hardly explain more a moment later, and costs a node many calls: the fourth in a minute must wait.
 */
export async function readChain(run: SaleRun, row: PaymentRow): Promise<Next> {
  const { refusals, now } = run.context
  if (row.validBefore * 1000 > now() - END_MARGIN_MS) return read(run, row, UNSENT)
  const name = lostSalesOf(row.payer)
  const wait = refusals.waitSeconds(name, now())
  if (wait > 0) return answer(declined('too_many_requests', wait))
  const next = await read(run, row, UNSENT)
  if (next.kind === 'event' && next.event === UNSENT.unknown) refusals.note(name, now())
  return next
}

const UNSENT = { unused: 'unused', unknown: 'unknown' } as const
/** Between the end of an authorization and the moment at which a node that is not behind knows what became of it. */
const END_MARGIN_MS = 60_000

/** Reads the chain for a row after this request has sent a settlement. */
export const readChainAfter = async (run: SaleRun, row: PaymentRow): Promise<Next> => {
  run.context.report({ event: 'settlement_doubtful', ...run.symptom })
  return read(run, row, { unused: 'still_unused', unknown: 'still_unknown' })
}

/** Reads the chain after a facilitator has said that it did nothing. */
export const checkDenial = (run: SaleRun, row: PaymentRow): Promise<Next> =>
  read(run, row, { unused: 'denied_still', unknown: 'denied_still' })

function read(
  run: SaleRun,
  row: PaymentRow,
  open: Readonly<Record<'unused' | 'unknown', SaleEvent>>,
): Promise<Next> {
  const ask = async () => {
    const resolution = await resolvePayment(run.context, row)
    switch (resolution.kind) {
      case 'settled':
        return event('paid', resolution.row)
      case 'void':
        return event('voided', resolution.row)
      case 'unused':
        return event(open.unused, row)
      case 'unexplained':
        return event(open.unknown, row)
    }
  }
  return askChain(run.context, ask, () => event(open.unknown, row))
}

/** "Used before the claim" was the node's word, and a node can be wrong for a while. */
export const reviewVoid = async (run: SaleRun, row: PaymentRow): Promise<Next> =>
  row.refusal === 'payment_already_used' ? readChain(run, row) : event('voided', row)

/**
 * After the first settlement of a row, unused on the chain: refused for the reason the facilitator gave, or because the
 * payer does not have the amount; otherwise in doubt.
 */
export async function weighRefusal(run: SaleRun, row: PaymentRow): Promise<Next> {
  if (run.refusal === undefined && !run.pending && (await cannotPay(run, row)))
    run.refusal = 'payment_insufficient_funds'
  return event(run.refusal === undefined ? 'still_unknown' : 'refused', row)
}

/** Reads the balance before the state: one that is low because this very payment has landed must not count. */
function cannotPay({ context }: SaleRun, row: PaymentRow): Promise<boolean> {
  const { chain, ledger } = context
  const ask = async () => {
    if ((await chain.balance(row.payer as Hex)) >= row.amount) return false
    const isSent = (await ledger.find(row))?.transaction != null
    return !isSent && !(await chain.authorizationUsed(row.payer as Hex, row.nonce as Hex))
  }
  return askChain(context, ask, () => false)
}
