import { StoreUnavailable } from '../../ledger/ledger.ts'
import { counterfactualForm } from '../authorization/counterfactual.ts'
import { decodePayment, type Payment } from '../authorization/decode-payment.ts'
import { identifiersOf } from '../authorization/payment-identifier.ts'
import { ChainUnavailable } from '../chain/chain-reader.ts'
import type { Call, Proof, Sale, Sell } from '../sale.ts'
import { sameBytes } from '../secrets/keyring.ts'
import { NETWORK } from '../terms/terms.ts'
import { claimPayment } from './claim-payment.ts'
import { declined, inDoubt, unavailable, unpaid } from './outcomes.ts'
import { openPurchasedCall } from './purchased-call.ts'
import { replayPayment } from './replay-payment.ts'
import type { Attempt, SaleContext } from './sale-context.ts'
import { resendSettlement, settlePayment } from './settle-payment.ts'
import { createSingleFlight, type SingleFlight } from './single-flight.ts'
import type { Step } from './step.ts'

/** How many copies of a request wait for the one that does the work. */
const MOST_WAITERS = 64
/** Sales under way at once: a settlement takes a second or two, so this is more than one process can settle. */
const MOST_SALES = 4_096
const NO_IDENTIFIER = Buffer.alloc(0)

interface Run {
  readonly attempt: Attempt
  readonly sale: Sale
}

/** The door to money: quotes, refuses, sells once, replays, or says that the outcome is in doubt. */
export function createSell(context: SaleContext): Sell {
  const flights = createSingleFlight<Run>({
    waitMs: context.timing.waitMs,
    mostFollowers: MOST_WAITERS,
    mostRuns: MOST_SALES,
    sleep: context.timing.sleep,
  })
  return async (call, proof) => {
    try {
      return await sell(context, flights, call, proof)
    } catch (error) {
      if (error instanceof StoreUnavailable) return unavailable('store_unavailable')
      throw error
    }
  }
}

async function sell(
  context: SaleContext,
  flights: SingleFlight<Run>,
  call: Call,
  proof: Proof,
): Promise<Sale> {
  if (call.kind === 'value' && proof.kind === 'none') {
    return unpaid(context, { quote: context.quotes(call.skill, call.surface) }, 'payment_required')
  }
  const subject = await openPurchasedCall(call, { ...context, now: context.now() })
  if (subject === null) return declined('task_not_found')
  const quote = context.quotes(subject.skill, subject.surface)
  const decoded = decodePayment(proof, context.terms)
  if (decoded.kind === 'unpaid') return unpaid(context, { quote }, decoded.code)

  const { payment } = decoded
  const { from: payer, nonce } = payment.authorization
  const signature = await checkSignature(context, payment)
  if (signature === 'unavailable') return unavailable('facilitator_unavailable')
  if (signature === 'invalid') return unpaid(context, { quote }, 'payment_invalid_signature')

  const attempt: Attempt = {
    subject,
    payment,
    quote,
    key: { network: NETWORK, asset: context.terms.asset, payer, nonce },
    identifiers: identifiersOf(context.keys, payment),
    needsVerify: signature === 'ask_facilitator',
  }
  return runOnce(context, flights, attempt)
}

/** Lets one request per authorization work at a time; copies of it share what it brings. */
async function runOnce(context: SaleContext, flights: SingleFlight<Run>, attempt: Attempt): Promise<Sale> {
  const { key } = attempt
  const until = context.timing.monotonicMs() + context.timing.waitMs
  for (;;) {
    const outcome = await flights.run(`${key.payer}/${key.nonce}`, async () => ({
      attempt,
      sale: await attemptSale(context, attempt),
    }))
    if (outcome.kind === 'led') return outcome.result.sale
    if (outcome.kind === 'late' || outcome.kind === 'crowded') return inDoubt(attempt)
    if (isSameRequest(attempt, outcome.result.attempt)) return asCopy(outcome.result.sale, attempt)
    if (context.timing.monotonicMs() > until) return inDoubt(attempt)
  }
}

function isSameRequest({ subject, key, payment, identifiers }: Attempt, leader: Attempt): boolean {
  const [mine, its] = [identifiers[0] ?? NO_IDENTIFIER, leader.identifiers[0] ?? NO_IDENTIFIER]
  return (
    sameBytes(subject.fingerprints[0], leader.subject.fingerprints[0]) &&
    sameBytes(mine, its) &&
    subject.taskFor(key)?.key === leader.subject.taskFor(key)?.key &&
    payment.authorization.validBefore === leader.payment.authorization.validBefore
  )
}

/** What a copy of a request is told, maybe on another surface. */
function asCopy(sale: Sale, { quote }: Attempt): Sale {
  switch (sale.kind) {
    case 'sold':
      return { ...sale, replayed: true }
    case 'unpaid':
      return { ...sale, quote }
    case 'declined':
      return sale
  }
}

/** Looks at the ledger until there is an answer, or a row to settle. */
async function attemptSale(context: SaleContext, attempt: Attempt): Promise<Sale> {
  const until = context.timing.monotonicMs() + context.timing.waitMs
  while (context.timing.monotonicMs() <= until) {
    const row = await context.ledger.find(attempt.key)
    const step: Step =
      row === null ? await claimPayment(context, attempt) : await replayPayment(context, attempt, row)
    if (step.kind === 'answer') return step.sale
    if (step.kind === 'owned') {
      const sale = await settlePayment(context, attempt, step.row)
      if (sale !== null) return sale
    }
    if (step.kind === 'owned_in_doubt') return resendSettlement(context, attempt, step.row)
    await context.timing.sleep(context.timing.lookMs)
  }
  return inDoubt(attempt)
}

type SignatureCheck = 'valid' | 'invalid' | 'ask_facilitator' | 'unavailable'

/** A signature that is not the payer's own key is refused only when the payer is no contract wallet. */
async function checkSignature(
  { judgeSignature, chain, report }: SaleContext,
  payment: Payment,
): Promise<SignatureCheck> {
  const verdict = await judgeSignature(payment)
  if (verdict === 'recovered') return 'valid'
  if (verdict === 'out_of_form') return 'invalid'
  // A wallet that does not exist yet has no code, and a signature that says how it would be made.
  const counterfactual = counterfactualForm(payment.signature)
  if (counterfactual !== 'none') return counterfactual === 'whole' ? 'ask_facilitator' : 'invalid'
  try {
    return (await chain.hasCode(payment.authorization.from)) ? 'ask_facilitator' : 'invalid'
  } catch (error) {
    if (!(error instanceof ChainUnavailable)) throw error
    report({ event: 'chain_unavailable' })
    return 'unavailable'
  }
}
