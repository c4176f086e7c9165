import { claim, claimAtOnce, takeOver } from './claim/claim-payment.ts'
import { doubt, observe } from './replay/observe-payment.ts'
import {
  answerSold,
  sayLate,
  sayLocked,
  sayRefused,
  sayThrottled,
  sayUsed,
  sayUsedForAnother,
  sayVoid,
} from './replay/replay-payment.ts'
import { readChain, weighRefusal } from './settle/read-chain.ts'
import { letGo, markRefused, record, sayInDoubt } from './settle/record-outcome.ts'
import { send, sendAgain, settle, tryAgain } from './settle/settle-payment.ts'
import { inDoubt } from './table/outcomes.ts'
import type { Course } from './table/run-sale.ts'
import { type Attempt, LOOK_AGAIN, type SaleContext, type SaleRun } from './table/sale-context.ts'
import { nextStep } from './table/sale-table.ts'

export const EXACT: Course<SaleRun> = {
  async look(run) {
    const claimed = await claimAtOnce(run)
    if (claimed !== null) return claimed
    const row = await run.context.ledger.find(run.attempt.key)
    return row === null ? claim(run) : observe(run, row)
  },
  next: nextStep,
  steps: {
    claim: () => Promise.reject(new Error('a row that exists cannot be claimed')),
    wait: async () => LOOK_AGAIN,
    take_over: takeOver,
    settle,
    send,
    doubt,
    record,
    let_go: letGo,
    mark_refused: markRefused,
    weigh_refusal: weighRefusal,
    read_chain: readChain,
    try_again: tryAgain,
    send_again: sendAgain,
    answer_sold: answerSold,
    say_in_doubt: sayInDoubt,
    say_used: sayUsed,
    say_used_for_another: sayUsedForAnother,
    say_void: sayVoid,
    say_refused: sayRefused,
    say_throttled: sayThrottled,
    say_locked: sayLocked,
    say_late: sayLate,
  },
  lookMs: ({ context }) => context.timing.lookMs,
  outOfTime: inDoubt,
  async inDoubt(run, error) {
    run.context.report({ event: run.sent ? 'settlement_not_recorded' : 'repeat_failed', error })
    return inDoubt(run)
  },
}

export const startExact = (context: SaleContext, attempt: Attempt): SaleRun => ({
  context,
  attempt,
  identifier: attempt.identifier,
  arrivedAt: context.now(),
  sent: false,
  isNewcomer: false,
  mayBeCharged: false,
  signatureAccepted: false,
  pending: false,
  denied: false,
  leave: null,
})
