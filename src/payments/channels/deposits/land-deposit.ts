import type { Hex } from 'viem'
import type { DepositRow } from '../../../ledger/channel-store.ts'
import { NO_LEASE } from '../../../ledger/payment-row.ts'
import type { Sale, Sold } from '../../ports/sale.ts'
import { refusalOf } from '../../sale/purchase/receipt.ts'
import { inDoubtUntilRepeat, notSent, unpaid } from '../../sale/table/outcomes.ts'
import { LEASE_MS } from '../../sale/table/sale-context.ts'
import { availableOf, stateNow } from '../channel-balance.ts'
import type { ChannelAttempt, ChannelContext, ChannelRun } from '../channel-context.ts'
import { closing } from '../charge/corrected-terms.ts'
import type { Deposit } from '../voucher/decode-channel-payment.ts'
import { depositNonce } from '../voucher/digests.ts'
import { judgeDeposit, maySendAgain, noteFailure } from './judge-deposit.ts'
import { resolveDeposit } from './resolve-deposit.ts'
import { sendDeposit } from './send-deposit.ts'

/** The money is in the channel, or the request is answered without. */
export type LandedDeposit =
  | { readonly kind: 'in'; readonly transaction: string | null }
  | { readonly kind: 'answer'; readonly sale: Exclude<Sale, Sold> }

export interface ChannelToFill {
  /** What would be charged and not claimed after the call, in atomic units. */
  readonly exposed: bigint
  /** Its payer is withdrawing: a deposit would buy nothing, so none is sent, and none again. */
  readonly isLeft: boolean
}

const answer = (sale: Exclude<Sale, Sold>): LandedDeposit => ({ kind: 'answer', sale })

/**
 * Sends a deposit at most once at a time and says whether it is in the channel. Whatever a facilitator says, only the
 * chain's word counts: the authorization is used.
 *
 * A client that did not hear of an earlier deposit signs a new one with the same voucher. If the earlier one is in, the
 * new one is not sent; while it may still be mined, the new one waits.
 */
export async function landDeposit(
  run: ChannelRun,
  { exposed, isLeft }: ChannelToFill,
): Promise<LandedDeposit> {
  const { context, attempt } = run
  const { payment } = attempt
  const { voucher, config } = payment
  const deposit = payment.deposit as Deposit
  const nonce = depositNonce(voucher.channelId, deposit.salt)
  const seen = await context.ledger.findDeposit(config.payer, nonce)
  if (seen?.state === 'landed') return { kind: 'in', transaction: seen.transaction }
  if (seen?.state === 'void') return answer(unpaid(context, attempt, 'payment_expired'))
  if (seen?.state === 'sending') return lookAgain(run, deposit, seen, isLeft)
  const spent = new Set<string>()
  const earlier = await earlierDeposit(context, attempt, deposit, nonce, spent)
  if (earlier !== null) return earlier
  if (isLeft) return answer(closing(attempt.quote))
  const obstacle = await judgeDeposit(context, attempt, deposit, exposed)
  if (obstacle !== null) return answer(obstacle)
  const lease = { state: 'sending', owner: context.owner, leaseUntil: context.now() + LEASE_MS } as const
  const row =
    seen === null
      ? await context.ledger.claimDeposit({
          ...lease,
          payer: config.payer,
          nonce,
          channel: voucher.channelId,
          amount: deposit.amount,
          voucher: voucher.amount,
          validBefore: Number(deposit.validBefore),
          transaction: null,
          claimedAt: context.now(),
        })
      : await context.ledger.moveDeposit(seen, lease)
  if (row === null) return answer(inDoubtUntilRepeat())
  if ((await earlierDeposit(context, attempt, deposit, nonce, spent)) === null)
    return send(run, deposit, row, true)
  // Another replica claimed one for the same call at the same moment; of the two none is sent before the other is over.
  await context.ledger.moveDeposit(row, { state: 'refused', ...NO_LEASE })
  return answer(inDoubtUntilRepeat())
}

/**
 * A deposit of the same amount with the same voucher is the same act, signed again. One whose money has left the channel
 * since, or is about to, by a refund or a withdrawal, counts no more; its nonce is added to `spent`.
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
      // Of a node that is behind nothing follows.
      if (!(await context.chain.authorizationUsed(row.payer as Hex, row.nonce as Hex)))
        return answer(inDoubtUntilRepeat())
      if ((await availableNow(context, channelId)) >= amount)
        return { kind: 'in', transaction: row.transaction }
      spent.add(row.nonce)
    }
    if (row.state !== 'sending') continue
    if (row.leaseUntil > context.now() && row.owner !== context.owner) return answer(inDoubtUntilRepeat())
    const settled = await resolveDeposit(context, row)
    if (settled === 'landed') return { kind: 'in', transaction: row.transaction }
    if (settled === 'open') return answer(inDoubtUntilRepeat())
  }
  return null
}

/** What of a channel's balance is not on its way back to the payer. */
async function availableNow({ ledger, reader }: ChannelContext, channelId: string): Promise<bigint> {
  const state = await reader.state(channelId)
  return availableOf(stateNow(await ledger.findChannel(channelId), state))
}

/** The request whose deposit was sent before and whose outcome is not known. */
async function lookAgain(
  run: ChannelRun,
  deposit: Deposit,
  row: DepositRow,
  isLeft: boolean,
): Promise<LandedDeposit> {
  const { context, attempt } = run
  if (row.leaseUntil > context.now() && row.owner !== context.owner) return answer(inDoubtUntilRepeat())
  const settled = await resolveDeposit(context, row)
  if (settled === 'landed') return { kind: 'in', transaction: row.transaction }
  if (settled === 'void') return answer(unpaid(context, attempt, 'payment_expired'))
  const isOver = deposit.validBefore * 1000n <= BigInt(context.now())
  if (isOver || isLeft || context.pausedBy() !== null || !(await maySendAgain(context, attempt, deposit)))
    return answer(inDoubtUntilRepeat())
  // A process may have ended between its claim and its look for others: then both are claimed, and neither goes first.
  const earlier = await earlierDeposit(context, attempt, deposit, row.nonce, new Set())
  if (earlier !== null) return earlier
  const leased = await context.ledger.moveDeposit(row, {
    owner: context.owner,
    leaseUntil: context.now() + LEASE_MS,
  })
  return leased === null ? answer(inDoubtUntilRepeat()) : send(run, deposit, leased, false)
}

async function send(
  run: ChannelRun,
  deposit: Deposit,
  row: DepositRow,
  isFirst: boolean,
): Promise<LandedDeposit> {
  const { context, attempt } = run
  run.sent = true
  const outcome = await sendDeposit(context, attempt, deposit)
  if (outcome.kind === 'not_sent') {
    run.sent = !isFirst
    // An earlier try of the same row may have left this machine.
    if (!isFirst) return release(context, row)
    await context.ledger.moveDeposit(row, { ...NO_LEASE, state: 'refused' })
    return answer(notSent(context, outcome.symptom))
  }
  const transaction = outcome.kind === 'sent' ? outcome.transaction : null
  if (await isUsedSoon(context, row, outcome.kind === 'sent')) {
    await context.ledger.moveDeposit(row, { ...NO_LEASE, state: 'landed', transaction })
    return { kind: 'in', transaction }
  }
  await noteFailure(context, attempt, deposit, { isRefused: outcome.kind === 'refused' && isFirst })
  // What was sent before may still be mined: this refusal is of the second try alone.
  if (outcome.kind === 'refused' && isFirst) {
    await context.ledger.moveDeposit(row, { ...NO_LEASE, state: 'refused' })
    return answer({
      ...unpaid(context, attempt, outcome.code),
      settlement: refusalOf(context.prices.network.id, row.payer, outcome.code),
    })
  }
  context.report('channel_deposit_doubtful')
  return release(context, row)
}

async function release(context: ChannelContext, row: DepositRow): Promise<LandedDeposit> {
  await context.ledger.moveDeposit(row, NO_LEASE)
  return answer(inDoubtUntilRepeat())
}

/** Looks for a deposit on the chain; a node may be a moment behind the facilitator. */
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

const SENT: readonly DepositRow['state'][] = ['sending', 'landed']

/** Whether the deposit of a call, or one that was signed for the same call before, may have been sent. */
export async function mayHaveLanded({ context, attempt }: ChannelRun): Promise<boolean> {
  const { ledger } = context
  const { voucher, config, deposit } = attempt.payment
  if (deposit === undefined) return false
  const own = await ledger.findDeposit(config.payer, depositNonce(voucher.channelId, deposit.salt))
  const alike = await ledger.depositsWith(voucher.channelId, voucher.amount)
  return [own, ...alike].some((row) => row !== null && SENT.includes(row.state))
}
