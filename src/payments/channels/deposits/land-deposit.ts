import type { Hex } from 'viem'
import type { ChannelState } from '../../../ledger/channels/channel-row.ts'
import type { DepositRow } from '../../../ledger/channels/deposit-row.ts'
import { LEASE_MS, NO_LEASE } from '../../../ledger/payments/payment-row.ts'
import type { Sale, Sold } from '../../ports/sale.ts'
import { refusalOf } from '../../sale/purchase/receipt.ts'
import { inDoubtUntilRepeat, notSent, unpaid } from '../../sale/table/outcomes.ts'
import { availableOf, stateNow } from '../channel-balance.ts'
import type { ChannelAttempt, ChannelContext, ChannelRun } from '../channel-context.ts'
import { closing } from '../charge/corrected-terms.ts'
import type { Deposit } from '../voucher/decode-channel-payment.ts'
import { depositNonce } from '../voucher/digests.ts'
import { judgeDeposit, maySendAgain, noteFailure } from './judge-deposit.ts'
import { resolveDeposit } from './resolve-deposit.ts'
import { sendDeposit } from './send-deposit.ts'

export type LandedDeposit =
  | { readonly kind: 'in'; readonly transaction: string | null }
  | { readonly kind: 'answer'; readonly sale: Exclude<Sale, Sold> }

const answer = (sale: Exclude<Sale, Sold>): LandedDeposit => ({ kind: 'answer', sale })

/**
 * One process at a time. A deposit is in the channel only if its authorization is used on the chain, whatever the
 * facilitator says. A client that lost a reply signs a new deposit with the same voucher: if the earlier one is in the
 * channel, the new one is not sent; while it may still be mined, the new one waits.
 */
export async function landDeposit(run: ChannelRun, state: ChannelState): Promise<LandedDeposit> {
  const { context, attempt } = run
  const { voucher, config } = attempt.payment
  const deposit = attempt.payment.deposit as Deposit
  const nonce = depositNonce(voucher.channelId, deposit.salt)
  // A deposit into a channel that its payer is leaving would buy nothing.
  const isClosing = state.withdrawRequestedAt > 0
  const seen = await context.ledger.findDeposit(config.payer, nonce)
  if (seen?.state === 'landed') return { kind: 'in', transaction: seen.transaction }
  if (seen !== null) return lookAgain(run, deposit, seen, isClosing)
  const spent = new Set<string>()
  const earlier = await earlierDeposit(context, attempt, deposit, nonce, spent)
  if (earlier !== null) return earlier
  if (isClosing) return answer(closing(attempt.quote))
  const obstacle = await judgeDeposit(context, attempt, deposit, voucher.amount - state.totalClaimed)
  if (obstacle !== null) return answer(obstacle)
  const row = await context.ledger.claimDeposit({
    ...leaseNow(context),
    payer: config.payer,
    nonce,
    channel: voucher.channelId,
    amount: deposit.amount,
    voucher: voucher.amount,
    validBefore: Number(deposit.validBefore),
    state: 'sending',
    transaction: null,
    claimedAt: context.now(),
  })
  if (row === null) return answer(inDoubtUntilRepeat())
  if ((await earlierDeposit(context, attempt, deposit, nonce, spent)) === null)
    return send(run, deposit, row, true)
  // Another replica claimed one for the same call at the same moment: this one gives way.
  await context.ledger.moveDeposit(row, null)
  return answer(inDoubtUntilRepeat())
}

/**
 * The outcome of an earlier deposit of the same amount with the same voucher, which is the same act; null without one.
 * One whose money has left the channel, or is about to, does not count; its nonce is added to `spent`.
 */
async function earlierDeposit(
  context: ChannelContext,
  { payment }: ChannelAttempt,
  deposit: Deposit,
  nonce: string,
  spent: Set<string>,
): Promise<LandedDeposit | null> {
  const { channelId, amount } = payment.voucher
  for (const row of await context.ledger.depositsWith(channelId, amount)) {
    if (row.nonce === nonce || row.amount !== deposit.amount || spent.has(row.nonce)) continue
    if (row.state === 'landed') {
      // The row is newer than the state of the node.
      if (!(await context.chain.authorizationUsed(row.payer as Hex, row.nonce as Hex)))
        return answer(inDoubtUntilRepeat())
      if ((await availableNow(context, channelId)) >= amount)
        return { kind: 'in', transaction: row.transaction }
      spent.add(row.nonce)
      continue
    }
    if (isHeldByOther(context, row)) return answer(inDoubtUntilRepeat())
    const settled = await resolveDeposit(context, row)
    if (settled === 'landed') return { kind: 'in', transaction: row.transaction }
    if (settled === 'open') return answer(inDoubtUntilRepeat())
  }
  return null
}

async function availableNow({ ledger, reader }: ChannelContext, channelId: string): Promise<bigint> {
  const state = await reader.state(channelId)
  return availableOf(stateNow(await ledger.findChannel(channelId), state))
}

/** Resolves a deposit that was sent before, and sends it again if it may still be mined. */
async function lookAgain(
  run: ChannelRun,
  deposit: Deposit,
  row: DepositRow,
  isClosing: boolean,
): Promise<LandedDeposit> {
  const { context, attempt } = run
  if (isHeldByOther(context, row)) return answer(inDoubtUntilRepeat())
  const settled = await resolveDeposit(context, row)
  if (settled === 'landed') return { kind: 'in', transaction: row.transaction }
  if (settled === 'void') return answer(unpaid(context, attempt, 'payment_expired'))
  const isOver = row.validBefore * 1000 <= context.now()
  // The row would end with the first signature, and another one could still be mined.
  const isSame = deposit.amount === row.amount && Number(deposit.validBefore) === row.validBefore
  const isStopped = isOver || isClosing || context.pausedBy() !== null
  if (isStopped || !isSame || !(await maySendAgain(context, attempt, deposit)))
    return answer(inDoubtUntilRepeat())
  // Two deposits for one call are both claimed if a process ended between its claim and its look for the other.
  const earlier = await earlierDeposit(context, attempt, deposit, row.nonce, new Set())
  if (earlier !== null) return earlier
  const leased = await context.ledger.moveDeposit(row, leaseNow(context))
  return leased === null ? answer(inDoubtUntilRepeat()) : send(run, deposit, leased, false)
}

async function send(
  run: ChannelRun,
  deposit: Deposit,
  row: DepositRow,
  isFirst: boolean,
): Promise<LandedDeposit> {
  const { context, attempt } = run
  run.charge.sent = true
  const outcome = await sendDeposit(context, attempt, deposit)
  if (outcome.kind === 'not_sent') {
    run.charge.sent = !isFirst
    // An earlier try of this deposit may have been sent.
    if (!isFirst) return release(context, row)
    await context.ledger.moveDeposit(row, null)
    return answer(notSent(context, outcome.symptom))
  }
  const transaction = outcome.kind === 'sent' ? outcome.transaction : null
  if (await isUsedSoon(context, row, outcome.kind === 'sent')) {
    await context.ledger.moveDeposit(row, { ...NO_LEASE, state: 'landed', transaction })
    return { kind: 'in', transaction }
  }
  await noteFailure(context, attempt, deposit, { isRefused: outcome.kind === 'refused' && isFirst })
  // A refusal of a later try says nothing of the first, which may still be mined.
  if (outcome.kind === 'refused' && isFirst) {
    await context.ledger.moveDeposit(row, null)
    return answer({
      ...unpaid(context, attempt, outcome.code),
      settlement: refusalOf(context.prices.network.id, row.payer, outcome.code),
    })
  }
  context.report('channel_deposit_doubtful')
  return release(context, row)
}

const leaseNow = ({ owner, now }: ChannelContext) => ({ owner, leaseUntil: now() + LEASE_MS })

const isHeldByOther = ({ now, owner }: ChannelContext, row: DepositRow): boolean =>
  row.leaseUntil > now() && row.owner !== owner

async function release(context: ChannelContext, row: DepositRow): Promise<LandedDeposit> {
  await context.ledger.moveDeposit(row, NO_LEASE)
  return answer(inDoubtUntilRepeat())
}

/** Waits if the facilitator says that the deposit was mined, since the node may be behind. */
async function isUsedSoon(
  { chain, timing }: ChannelContext,
  row: DepositRow,
  isMined: boolean,
): Promise<boolean> {
  const until = timing.monotonicMs() + (isMined ? timing.proofWaitMs : 0)
  for (;;) {
    if (await chain.authorizationUsed(row.payer as Hex, row.nonce as Hex)) return true
    if (timing.monotonicMs() >= until) return false
    await timing.sleep(timing.proofLookMs)
  }
}

export async function mayHaveLanded({ context, attempt }: ChannelRun): Promise<boolean> {
  const { ledger } = context
  const { voucher, config, deposit } = attempt.payment
  if (deposit === undefined) return false
  const own = await ledger.findDeposit(config.payer, depositNonce(voucher.channelId, deposit.salt))
  return own !== null || (await ledger.depositsWith(voucher.channelId, voucher.amount)).length > 0
}
