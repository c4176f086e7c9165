import { NO_LEASE, type PaymentRow, type PaymentState } from '../../../ledger/payments/payment-row.ts'
import { windowTime } from '../../chain/clocks.ts'
import { type Resolution, resolvePayment } from '../../recovery/resolve-payment.ts'
import { isSamePurchase } from '../purchase/purchase.ts'
import { isWindowOver, REPLAY_WINDOWS } from '../purchase/replay-window.ts'
import { answerSold } from '../replay/replay-payment.ts'
import { askChain } from '../table/ask-chain.ts'
import { attachTask } from '../table/attach-task.ts'
import { declined, inDoubt } from '../table/outcomes.ts'
import {
  answer,
  contextOn,
  type Next,
  READ_AGAIN,
  type SaleContext,
  type SaleRun,
} from '../table/sale-context.ts'
import { EARLIER_TABLE, type EarlierEvent, type EarlierStep } from '../table/sale-table.ts'

/** Refused rows of the same call that are looked up on the chain before a new payment of it. */
const MOST_REFUSED = 3

/**
 * Answers a new, verified authorization from an earlier payment for the same call: one with the same identifier, under
 * way, in doubt, or not yet answered. Null for another purchase.
 */
export async function reuseEarlierPayment(run: SaleRun): Promise<Next | null> {
  const { ledger } = run.context
  for (const identifier of run.identifier.macs) {
    const row = await ledger.findByIdentifier(identifier)
    if (row === null || !isOther(run, row)) continue
    if (!(await isSameCall(run, row))) return answer(declined('payment_identifier_conflict'))
    // The store lets one row at a time settle under an identifier.
    const next = await answerFrom(run, row)
    if (next !== null) return next
  }
  let refused = 0
  for (const row of await earlierPayments(run)) {
    if (row.state === 'refused') refused += 1
    if (refused > MOST_REFUSED) break
    // A claim that is left by then has changed since it was read.
    const next = await answerFrom(run, row, row.state === 'claimed' ? 'held' : undefined)
    if (next !== null) return next
  }
  return null
}

/**
 * The buyer whose authorization for a task was not needed may repeat it. Null if the task has no payment of this payer,
 * or the signature is not known to be good.
 */
export async function reuseTaskPayment(run: SaleRun): Promise<Next | null> {
  const { call, key, recovered } = run.attempt
  const attachedTo = call.task?.attachedTo
  if (attachedTo === undefined || !(recovered || run.signatureAccepted)) return null
  const row = await run.context.ledger.find(attachedTo)
  if (row?.state !== 'settled' || row.payer !== key.payer || !isOther(run, row)) return null
  return (await isSameCall(run, row)) ? answerFrom(run, row) : null
}

export async function rivalOf(run: SaleRun): Promise<PaymentRow | null> {
  const rivals = await earlierPayments(run)
  return rivals.find(({ state }) => state !== 'refused') ?? null
}

export const isBefore = (one: PaymentRow, other: PaymentRow): boolean =>
  one.claimedAt === other.claimedAt ? orderOf(one) < orderOf(other) : one.claimedAt < other.claimedAt

/** The same nonce may be signed on two networks. */
const orderOf = ({ nonce, network }: PaymentRow) => `${nonce} ${network}`

/** The payer's other rows that may answer this call, with those that were delivered after this request arrived. */
export async function earlierPayments(run: SaleRun): Promise<readonly PaymentRow[]> {
  const { ledger } = run.context
  const { call, key } = run.attempt
  const at = windowTime(run.context)
  const since = at - 2 * REPLAY_WINDOWS.undeliveredMs
  const found: PaymentRow[] = []
  for (const row of await ledger.unanswered(key.payer, call.type, since, run.arrivedAt)) {
    if (!isOther(run, row) || isWindowOver(row, at) || !(await isSameCall(run, row))) continue
    if (!(await isAbandoned(run, row))) found.push(row)
  }
  return found
}

/** Takes a claim from its owner once the lease is over, so that a slow owner can no longer send it. */
async function isAbandoned({ context: { ledger, now } }: SaleRun, row: PaymentRow): Promise<boolean> {
  if (row.state !== 'claimed' || row.leaseUntil > now()) return false
  return (await ledger.move(row, NO_LEASE)) !== null
}

const isOther = ({ attempt: { key } }: SaleRun, row: PaymentRow) =>
  row.nonce !== key.nonce || row.payer !== key.payer || row.network !== key.network

const isSameCall = async ({ context, attempt: { call } }: SaleRun, row: PaymentRow) =>
  isSamePurchase(call, row) && (await context.bindings.isBoundTo(row, call.fingerprints))

const eventOf = ({ context }: SaleRun, row: PaymentRow): EarlierEvent => {
  if (isWindowOver(row, windowTime(context))) return 'late'
  return row.leaseUntil > context.now() ? 'held' : 'free'
}

/** Answers from an earlier payment by the table; null if the call is another purchase. */
async function answerFrom(run: SaleRun, row: PaymentRow, happened = eventOf(run, row)): Promise<Next | null> {
  const step = EARLIER_TABLE[row.state][happened]
  if (step === undefined) throw new Error(`an earlier payment in ${row.state} has no step for ${happened}`)
  if (MAY_BE_CHARGED.includes(row.state)) run.charge.mayBeCharged = true
  return STEPS[step](run, row)
}

const MAY_BE_CHARGED: readonly PaymentState[] = ['settling', 'settled', 'in_doubt']

const STEPS: Readonly<Record<EarlierStep, (run: SaleRun, row: PaymentRow) => Promise<Next | null>>> = {
  ignore: async () => null,
  wait: async () => READ_AGAIN,
  async doubt({ context }, row) {
    await context.ledger.move(row, { state: 'in_doubt', ...NO_LEASE })
    return READ_AGAIN
  },
  answer_sold: answerSold,
  async believe_transfer(run, row) {
    const resolution = await resolved(run.context, row)
    if (resolution?.kind !== 'settled') return null
    run.charge.mayBeCharged = true
    return answerSold(run, resolution.row)
  },
  async read_chain(run, row) {
    const resolution = await resolved(run.context, row)
    if (resolution?.kind === 'settled') return answerSold(run, resolution.row)
    if (resolution?.kind === 'void') {
      run.charge.mayBeCharged = false
      return null
    }
    return (await attachTask(run, row)) ?? answer(await inDoubt(run, row))
  },
}

/** Null if the node does not answer, or nothing is sold on the row's network any more. */
const resolved = (context: SaleContext, row: PaymentRow): Promise<Resolution | null> =>
  askChain<Resolution | null>(
    context,
    async () => {
      const there = contextOn(context, row.network)
      return there === null ? null : resolvePayment(there, row)
    },
    () => null,
  )
