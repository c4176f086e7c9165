import type { PaymentRow } from '../../ledger/ledger.ts'
import { ChainUnavailable } from '../chain/chain-reader.ts'
import { type Resolution, resolvePayment } from '../recovery/resolve.ts'
import { isBoundTo } from '../secrets/fingerprint.ts'
import { attachTask } from '../tasks/attach-task.ts'
import { declined, inDoubt, sold } from './outcomes.ts'
import { type Attempt, REPLAY_WINDOW_MS, type SaleContext } from './sale-context.ts'
import { answer, type Step } from './step.ts'

/** How far back a buyer who signed anew is still taken to mean his earlier payment. */
const SIGNED_ANEW_WITHIN_MS = 600_000

/**
 * Answers a new, verified authorization from an earlier payment of the same payer, where he means that one: it
 * carries the same payment identifier, or its own reply never reached him. The new one is then not settled.
 * Null when this is simply another purchase.
 */
export async function reuseEarlierPayment(context: SaleContext, attempt: Attempt): Promise<Step | null> {
  const { ledger, keys, now } = context
  const { subject, identifiers, key } = attempt
  const isEarlier = (row: PaymentRow) => row.nonce !== key.nonce || row.payer !== key.payer
  const isBound = (row: PaymentRow) => isBoundTo(keys, row, subject.fingerprints)
  for (const identifier of identifiers) {
    const row = await ledger.findByIdentifier(identifier)
    if (row === null || !isEarlier(row)) continue
    if (!isBound(row)) return answer(declined('payment_identifier_conflict'))
    const step = await answerFrom(context, attempt, row)
    if (step !== null) return step
    // It may yet be sent, and then this one must not be.
    if (row.state === 'claimed' && row.leaseUntil > now()) return { kind: 'look_again' }
  }
  const since = now() - SIGNED_ANEW_WITHIN_MS
  const unanswered = await ledger.unanswered(key.payer, subject.skill.id, since, now())
  const earlier = unanswered.find((row) => isEarlier(row) && isBound(row))
  return earlier === undefined ? null : answerFrom(context, attempt, earlier)
}

async function answerFrom(context: SaleContext, attempt: Attempt, row: PaymentRow): Promise<Step | null> {
  switch (row.state) {
    case 'settled': {
      if ((row.settledAt ?? 0) + REPLAY_WINDOW_MS < context.now()) return null
      return (
        (await attachTask(context, attempt, row)) ??
        answer(sold(context, { ...attempt, key: row }, row, true))
      )
    }
    case 'settling':
    case 'in_doubt':
      // Under a live lease it is its owner's alone.
      if (row.leaseUntil > context.now()) return { kind: 'look_again' }
      return answerDoubtful(context, attempt, row)
    // Not charged: this is another purchase.
    default:
      return null
  }
}

async function answerDoubtful(context: SaleContext, attempt: Attempt, row: PaymentRow): Promise<Step | null> {
  if (row.state === 'settling') {
    await context.ledger.move(row, { state: 'in_doubt', owner: null, leaseUntil: 0 })
    return { kind: 'look_again' }
  }
  const resolution = await askChain(context, row)
  if (resolution?.kind === 'dead') return null
  const present = resolution?.row ?? row
  const kept = await attachTask(context, attempt, present)
  if (kept !== null) return kept
  const earlier = { ...attempt, key: row }
  return answer(resolution?.kind === 'settled' ? sold(context, earlier, present, true) : inDoubt(earlier))
}

async function askChain(context: SaleContext, row: PaymentRow): Promise<Resolution | null> {
  try {
    return await resolvePayment(context, row)
  } catch (error) {
    if (!(error instanceof ChainUnavailable)) throw error
    context.report({ event: 'chain_unavailable' })
    return null
  }
}
