import { setTimeout as sleep } from 'node:timers/promises'
import { StoreUnavailable } from '../ledger/ledger.ts'
import { answerKnownRow } from './answer-known-row.ts'
import { ChainUnavailable } from './chain/chain-reader.ts'
import { decodeProof, type Payment } from './decode-proof.ts'
import { sameBytes } from './keyring.ts'
import { openNewRow } from './open-new-row.ts'
import { declined, inDoubt, unavailable, unpaid } from './outcomes.ts'
import { identifierOf } from './payment-identifier.ts'
import type { Call, Proof, Sale, Sell } from './sale.ts'
import type { Attempt, SaleContext } from './sale-context.ts'
import { resendSettlement, settleRow } from './settle-row.ts'
import { createSingleFlight, type SingleFlight } from './single-flight.ts'
import type { Step } from './step.ts'
import { openSubject, type Subject } from './subject.ts'
import { NETWORK } from './terms.ts'

/** How many copies of a request wait for the one that does the work. */
const MOST_WAITERS = 64

interface Run {
  readonly subject: Subject
  readonly sale: Sale
}

/** The door to money: quotes, refuses, sells once, replays, or says that the outcome is in doubt. */
export function createSell(context: SaleContext): Sell {
  const flights = createSingleFlight<Run>({ waitMs: context.timing.waitMs, mostFollowers: MOST_WAITERS })
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
  const subject = await openSubject(call, { ...context, now: context.now() })
  if (subject === null) return declined('task_not_found')
  const quote = context.quotes(subject.skill, subject.surface)
  const decoded = decodeProof(proof, context.terms)
  if (decoded.kind === 'unpaid') return unpaid(context, { quote }, decoded.code)

  const { payment } = decoded
  const { from: payer, nonce } = payment.authorization
  const wait = context.refusals.waitSeconds(payer, context.now())
  if (wait > 0) return declined('too_many_requests', wait)
  const signature = await checkSignature(context, payment)
  if (signature === 'unavailable') return unavailable('facilitator_unavailable')
  if (signature === 'invalid') return unpaid(context, { quote }, 'payment_invalid_signature')

  const attempt: Attempt = {
    subject,
    payment,
    quote,
    key: { network: NETWORK, asset: context.terms.asset, payer, nonce },
    identifier: identifierOf(context.keys, payment),
  }
  return runOnce(context, flights, attempt, signature === 'ask_facilitator')
}

/** Lets one request per authorization work at a time; copies of it share what it brings. */
async function runOnce(
  context: SaleContext,
  flights: SingleFlight<Run>,
  attempt: Attempt,
  needsVerify: boolean,
): Promise<Sale> {
  const { subject, key } = attempt
  const until = context.now() + context.timing.waitMs
  for (;;) {
    const outcome = await flights.run(`${key.payer}/${key.nonce}`, async () => ({
      subject,
      sale: await attemptSale(context, attempt, needsVerify),
    }))
    if (outcome.kind === 'led') return outcome.result.sale
    if (outcome.kind === 'late' || outcome.kind === 'crowded') return inDoubt(attempt)
    const { sale, subject: leader } = outcome.result
    if (isSameSubject(attempt, leader)) return sale.kind === 'sold' ? { ...sale, replayed: true } : sale
    if (context.now() > until) return inDoubt(attempt)
  }
}

function isSameSubject({ subject, key }: Attempt, leader: Subject): boolean {
  return (
    sameBytes(subject.fingerprint, leader.fingerprint) &&
    subject.taskFor(key)?.key === leader.taskFor(key)?.key
  )
}

/** Looks at the ledger until there is an answer, or a row to settle. */
async function attemptSale(context: SaleContext, attempt: Attempt, needsVerify: boolean): Promise<Sale> {
  const until = context.now() + context.timing.waitMs
  while (context.now() <= until) {
    const row = await context.ledger.find(attempt.key)
    const step: Step =
      row === null
        ? await openNewRow(context, attempt, needsVerify)
        : await answerKnownRow(context, attempt, row)
    if (step.kind === 'answer') return step.sale
    if (step.kind === 'owned') return settleRow(context, attempt, step.row)
    if (step.kind === 'owned_in_doubt') return resendSettlement(context, attempt, step.row)
    await sleep(context.timing.lookMs)
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
  try {
    const ordinary = payment.signature.length === ORDINARY_SIGNATURE_CHARACTERS
    return ordinary && !(await chain.hasCode(payment.authorization.from)) ? 'invalid' : 'ask_facilitator'
  } catch (error) {
    if (!(error instanceof ChainUnavailable)) throw error
    report({ event: 'chain_unavailable' })
    return 'unavailable'
  }
}

/** "0x" and 65 bytes: what an ordinary account signs with. */
const ORDINARY_SIGNATURE_CHARACTERS = 2 + 65 * 2
