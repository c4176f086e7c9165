import type { PaymentRow } from '../../ledger/payment-row.ts'
import { StoreUnavailable } from '../../ledger/store-unavailable.ts'
import type { Sale } from '../sale.ts'
import { claim, takeOver } from './claim-payment.ts'
import { doubt, observe } from './observe-payment.ts'
import { inDoubt } from './outcomes.ts'
import { checkDenial, readChain, readChainAfter, reviewVoid, weighRefusal } from './read-chain.ts'
import { awaitProof, letGo, markInDoubt, markRefused, markUnconfirmed, record } from './record-outcome.ts'
import {
  answerSold,
  sayInDoubt,
  sayLate,
  sayLocked,
  sayRefused,
  sayThrottled,
  sayUsed,
  sayVoid,
} from './replay-payment.ts'
import { type Attempt, LOOK_AGAIN, type Next, type SaleContext, type SaleRun } from './sale-context.ts'
import { nextStep, type StepName } from './sale-table.ts'
import { send, sendAgain, settle, tryAgain } from './settle-payment.ts'

type Step = (run: SaleRun, row: PaymentRow) => Promise<Next>

const STEPS: Readonly<Record<Exclude<StepName, 'claim'>, Step>> = {
  wait: async () => LOOK_AGAIN,
  take_over: takeOver,
  settle,
  send,
  doubt,
  record,
  await_proof: awaitProof,
  let_go: letGo,
  mark_refused: markRefused,
  check_denial: checkDenial,
  mark_unconfirmed: markUnconfirmed,
  mark_in_doubt: markInDoubt,
  weigh_refusal: weighRefusal,
  read_chain: readChain,
  read_chain_after: readChainAfter,
  try_again: tryAgain,
  send_again: sendAgain,
  answer_sold: answerSold,
  review_void: reviewVoid,
  say_in_doubt: sayInDoubt,
  say_used: sayUsed,
  say_void: sayVoid,
  say_refused: sayRefused,
  say_throttled: sayThrottled,
  say_locked: sayLocked,
  say_late: sayLate,
}

/** Takes one request through the sale's table until there is an answer. */
export async function runSale(context: SaleContext, attempt: Attempt): Promise<Sale> {
  const run: SaleRun = {
    context,
    attempt,
    arrivedAt: context.now(),
    sent: false,
    isNewcomer: false,
    mayBeCharged: false,
    signatureAccepted: false,
    pending: false,
    leave: null,
  }
  try {
    return await drive(run)
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error
    if (run.sent) context.report({ event: 'settlement_not_recorded' })
    // Without the store nothing can be ruled out once something may have been sent.
    if (run.sent || run.mayBeCharged) return inDoubt(run)
    throw error
  } finally {
    run.leave?.()
  }
}

async function drive(run: SaleRun): Promise<Sale> {
  const { ledger, timing } = run.context
  const until = timing.monotonicMs() + timing.waitMs
  while (timing.monotonicMs() <= until) {
    const row = await ledger.find(run.attempt.key)
    let next = row === null ? await claim(run) : await observe(run, row)
    while (next.kind === 'event') {
      const step = nextStep(next.row.state, next.event)
      if (step === 'claim') throw new Error('a row that exists cannot be claimed')
      next = await STEPS[step](run, next.row)
    }
    if (next.kind === 'answer') return next.sale
    await timing.sleep(timing.lookMs)
  }
  return inDoubt(run)
}
