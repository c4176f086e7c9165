import { isDeepStrictEqual } from 'node:util'
import type { PaymentRequirements, SettleResponse } from '@x402/core/types'
import { getAddress } from 'viem'
import type { ChannelRow } from '../../src/ledger/channels/channel-row.ts'
import type { ChannelService, Outcome } from '../model/channel-service.ts'
import { insist } from './finding.ts'

/** Nothing else goes on, so that an answer is held against what is written, to the letter. */
export interface Quiet {
  readonly before: ChannelRow | null
  readonly after: ChannelRow | null
}

export interface Answered {
  /** What the voucher is signed for, in atomic units. */
  readonly amount: bigint
  readonly isRefund: boolean
  readonly outcome: Outcome
  readonly quiet: Quiet | null
}

const OUT_OF_STEP = 'invalid_batch_settlement_evm_cumulative_amount_mismatch'
const HASH = `0x${'ab'.repeat(32)}`
const TIME_CODES = ['payment_expired', 'payment_not_yet_valid', 'payment_valid_too_long']
const CORRECTIONS = ['channel_out_of_step', 'payment_locked']
const WITH_REASON = ['payment_refused', 'channel_closing']
const LONGEST_PAUSE_SECONDS = 3_600
const CALLS = {
  url: 'https://checks.example/api/channel/validate/iban',
  refunds: 'https://checks.example/api/channel',
}

interface ShownState {
  readonly chargedCumulativeAmount: string
  readonly totalClaimed: string
}

const stateOf = (row: ChannelRow) => ({
  channelId: row.id,
  balance: String(row.balance),
  totalClaimed: String(row.totalClaimed),
  withdrawRequestedAt: row.withdrawRequestedAt,
  refundNonce: String(row.refundNonce),
  chargedCumulativeAmount: String(row.charged),
})

/** Holds what a buyer reads in answers against each other, against the terms, and against what is written. */
export class ChannelAnswers {
  readonly #service: ChannelService
  /** The receipts of each sum. */
  readonly #receipts = new Map<string, string>()
  /** Sums of which an answer was the first. */
  readonly #sold = new Set<string>()

  constructor(service: ChannelService) {
    this.#service = service
  }

  judge(answered: Answered): void {
    const { outcome, quiet } = answered
    if (outcome.kind === 'sold') this.#judgeSold(outcome, quiet)
    else if (outcome.kind === 'refunded') this.#judgeRefund(outcome, quiet)
    else if (outcome.kind === 'declined') this.#judgeDeclined(answered, outcome)
    else this.#judgeTerms(answered, outcome)
  }

  get #seconds(): number {
    return Math.floor(this.#service.nowMs / 1000)
  }

  #judgeSold(
    { settlement, replayed, rulesetChanged }: Extract<Outcome, { kind: 'sold' }>,
    quiet: Quiet | null,
  ): void {
    const { chargedCumulativeAmount: sum } = this.#judgeSettlement(settlement, quiet)
    insist(!rulesetChanged, 'an answer says that its rules have changed')
    const receipts = JSON.stringify(settlement.extensions)
    insist((this.#receipts.get(sum) ?? receipts) === receipts, 'a repeat has another receipt')
    this.#receipts.set(sum, receipts)
    insist(replayed || !this.#sold.has(sum), 'a repeat counts as a sale')
    this.#sold.add(sum)
    this.#judgeReceipt(settlement, quiet)
    if (quiet === null) return
    const isNew = quiet.before?.charged !== quiet.after?.charged
    insist(replayed !== isNew, 'a sale counts as a repeat, or a repeat as a sale')
  }

  #judgeReceipt({ extensions, transaction, payer, network }: SettleResponse, quiet: Quiet | null): void {
    const signature = JSON.stringify(extensions).match(/"signature":"[^."]*\.([^."]*)\./)?.[1] ?? ''
    const { issuedAt, requestHash, resultHash, ...said } = JSON.parse(
      Buffer.from(signature, 'base64url').toString(),
    )
    const { amount, payTo } = this.#service.offer
    const expected = {
      ...{ version: 1, network, resourceUrl: CALLS.url, payer, transaction, amount },
      payTo: getAddress(payTo),
    }
    insist(isDeepStrictEqual(said, expected), 'a receipt is of another call')
    insist(requestHash !== undefined && resultHash !== undefined, 'a receipt does not say for what')
    const chargedAt = Math.floor((quiet?.after?.lastCall.chargedAt ?? issuedAt * 1000) / 1000)
    insist(issuedAt <= this.#seconds && issuedAt === chargedAt, 'a receipt has another time')
  }

  /** The settlement of the newest call. */
  #judgeSettlement({ extra, extensions: _, ...settlement }: SettleResponse, quiet: Quiet | null): ShownState {
    const { transaction } = settlement
    const { config, offer } = this.#service
    const expected = { success: true, payer: config.payer, transaction, network: offer.network }
    insist(isDeepStrictEqual(settlement, expected), 'a settlement is of another payer')
    insist(transaction === '' || transaction === HASH, 'a settlement names another transaction')
    const { channelState, chargedAmount } = extra as { channelState: ShownState; chargedAmount: string }
    insist(chargedAmount === offer.amount, 'a settlement has another price')
    const row = quiet?.after ?? null
    if (row !== null) {
      insist(isDeepStrictEqual(channelState, stateOf(row)), 'a settlement shows another channel')
      insist(transaction === (row.lastCall.transaction ?? ''), 'a settlement names another transaction')
    }
    return channelState
  }

  #judgeRefund({ amount, settlement }: Extract<Outcome, { kind: 'refunded' }>, quiet: Quiet | null): void {
    const { config, offer } = this.#service
    const { transaction, extra } = settlement
    const expected = {
      ...{ success: true, payer: config.payer.toLowerCase(), transaction, network: offer.network },
      ...{ amount: String(amount), extra },
    }
    insist(isDeepStrictEqual(settlement, expected), 'a refund is of another payer')
    insist(transaction === '' || transaction === HASH, 'a refund names another transaction')
    if (quiet?.after == null || quiet.before === null) return
    const { before, after } = quiet
    insist(isDeepStrictEqual(extra, { channelState: stateOf(after) }), 'a refund shows another channel')
    insist(after.refundNonce === before.refundNonce + 1n, 'a refund is not the one that was asked for')
    insist(before.balance - after.balance === amount, 'a refund is of another sum')
  }

  #judgeDeclined(
    { quiet, isRefund }: Answered,
    { code, settlement, final, awaitsRepeat, retryAfterSeconds }: Extract<Outcome, { kind: 'declined' }>,
  ): void {
    const isCharged = code === 'payment_already_used' || code === 'replay_window_over'
    insist((final === true) === isCharged, `${code} says another thing of the end`)
    insist(!isCharged || settlement !== undefined, `${code} does not say what is charged`)
    if (settlement !== undefined) this.#judgeSettlement(settlement, quiet)
    insist(
      (awaitsRepeat === true) === (code === 'payment_in_doubt' && !isRefund),
      `${code} says another thing of repeats`,
    )
    if (code !== 'too_many_requests' || retryAfterSeconds === undefined) return
    const most = settlement === undefined ? 60 : LONGEST_PAUSE_SECONDS
    insist(retryAfterSeconds >= 1 && retryAfterSeconds <= most, 'a client must wait for another time')
  }

  #judgeTerms(
    { amount, isRefund, quiet }: Answered,
    { code, quote, serverTime, isCorrection }: Extract<Outcome, { kind: 'unpaid' }>,
  ): void {
    const required = quote.required(code)
    insist(JSON.stringify(required) === decoded(quote.header(code)), 'a header has other terms')
    insist(required.x402Version === 2, 'terms are of another version')
    insist(required.resource?.url === (isRefund ? CALLS.refunds : CALLS.url), 'terms are of another call')
    insist((serverTime !== undefined) === TIME_CODES.includes(code), `${code} says another thing of time`)
    if (quiet !== null && serverTime !== undefined)
      insist(serverTime === this.#seconds, 'another time is said')
    insist((isCorrection === true) === CORRECTIONS.includes(code), `${code} corrects another thing`)
    const channels = required.accepts.filter(({ scheme }) => scheme === 'batch-settlement')
    insist(channels.length === 1 && required.accepts.length === 1, `${code} offers other schemes`)
    if (WITH_REASON.includes(code) && !isRefund)
      insist(required.error?.includes('Reason: ') === true, `${code} gives no reason`)
    const [offered] = channels
    if (offered !== undefined)
      this.#judgeOffer({ amount, isRefund, quiet, code, isCorrection: isCorrection === true }, offered)
    if (isCorrection === true)
      insist(required.error === OUT_OF_STEP && required.accepts.length === 1, `${code} corrects nothing`)
  }

  #judgeOffer(
    {
      amount,
      isRefund,
      quiet,
      code,
      isCorrection,
    }: Omit<Answered, 'outcome'> & { readonly code: string; readonly isCorrection: boolean },
    offered: PaymentRequirements,
  ): void {
    const { voucherState, channelState, ...extra } = offered.extra as Shown
    if (isRefund || isCorrection)
      insist(isDeepStrictEqual({ ...offered, extra }, this.#service.offer), 'terms of a channel have changed')
    insist(isCorrection || voucherState === undefined, `${code} shows a channel`)
    if (channelState !== undefined && voucherState !== undefined)
      this.#judgeShown(amount, voucherState, channelState)
    if (!isCorrection || quiet === null) return
    const row = quiet.after
    const isKnown = row !== null && row.charged >= row.totalClaimed
    const isPublic = row !== null && amount > 0n && amount <= row.totalClaimed
    const isShown = voucherState !== undefined
    insist(isShown === (isKnown && !isPublic), 'a correction shows more or less than it may')
    if (isShown)
      insist(
        isDeepStrictEqual(channelState, stateOf(row as ChannelRow)),
        'a correction shows another channel',
      )
  }

  #judgeShown(
    amount: bigint,
    { signedMaxClaimable: sum, signature }: NonNullable<Shown['voucherState']>,
    { chargedCumulativeAmount, totalClaimed }: ShownState,
  ): void {
    insist(chargedCumulativeAmount === sum, 'a correction shows two sums')
    insist(this.#service.signatureOf(BigInt(sum)) === signature, 'a correction proves nothing')
    insist(amount === 0n || amount > BigInt(totalClaimed), 'a channel is shown to a stranger')
  }
}

interface Shown {
  readonly voucherState?: { readonly signedMaxClaimable: string; readonly signature: string }
  readonly channelState?: ShownState
}

const decoded = (header: string): string => Buffer.from(header, 'base64').toString()
