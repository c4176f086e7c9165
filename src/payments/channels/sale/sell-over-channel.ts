import { StoreUnavailable } from '../../../ledger/store-unavailable.ts'
import { readText } from '../../authorization/decode-payment.ts'
import { ChainUnavailable } from '../../chain/chain-reader.ts'
import { PROMISES } from '../../ports/promises.ts'
import type { Call, RawPayment, Sale, Sell } from '../../ports/sale.ts'
import { openPurchasedCall } from '../../sale/purchase/purchased-call.ts'
import { declined, inDoubtUntilRepeat, unpaid } from '../../sale/table/outcomes.ts'
import { quoteFor } from '../../terms/quote-for.ts'
import { mayBeIn } from '../deposits/may-be-in.ts'
import { decodeChannelPayment, isChannelPayment } from '../voucher/decode-channel-payment.ts'
import { type ChannelAttempt, type ChannelContext, chargeKey } from './channel-context.ts'
import { charge } from './charge.ts'
import { outOfStep } from './corrective.ts'
import { createTurns, type Turns } from './turns.ts'

/** How long a call waits for the one before it on the same channel. */
const TURN_MS = 50

/** A `sell` that takes payments over channels as well; every other payment goes to `sell`. */
export function createChannelSell(context: ChannelContext, sell: Sell): Sell {
  const turns = createTurns<Sale>(TURN_MS, context.timing.sleep)
  return async (call, rawPayment) => {
    if (rawPayment.kind === 'none') return sell(call, rawPayment)
    const json = rawPayment.kind === 'text' ? readText(rawPayment.text) : rawPayment.payload
    if (!isChannelPayment(json)) return sell(call, decodedOnce(rawPayment, json))
    try {
      const attempt = await readAttempt(context, call, json)
      return 'kind' in attempt ? attempt : await runInTurn(context, turns, attempt)
    } catch (error) {
      if (error instanceof StoreUnavailable) return declined('store_unavailable')
      throw error
    }
  }
}

/** A text that is no JSON stays a text, so that it is refused as one. */
const decodedOnce = (rawPayment: RawPayment, json: unknown): RawPayment =>
  rawPayment.kind === 'text' && json !== null ? { kind: 'object', payload: json } : rawPayment

async function readAttempt(
  context: ChannelContext,
  call: Call,
  json: Readonly<Record<string, unknown>>,
): Promise<ChannelAttempt | Sale> {
  const purchased = await openPurchasedCall(call, { ...context, now: context.now() })
  if (purchased === null) return declined('task_not_found')
  const quote = quoteFor(await context.quotes.of(purchased, purchased.surface), true)
  const payment = decodeChannelPayment(json)
  if (payment === null) return unpaid(context, { quote }, 'payment_malformed')
  if (payment.kind === 'refund') return unpaid(context, { quote }, 'payment_terms_mismatch')
  if (!(await context.judgeVoucher(payment))) return unpaid(context, { quote }, 'payment_invalid_signature')
  return { call: purchased, payment, quote, price: context.prices.amount * BigInt(purchased.items) }
}

/** Calls of one channel one after the other; one whose turn does not come soon gets the state of the channel. */
async function runInTurn(
  context: ChannelContext,
  turns: Turns<Sale>,
  attempt: ChannelAttempt,
): Promise<Sale> {
  const { call, payment } = attempt
  const { channelId, amount } = payment.voucher
  const copy = [
    amount,
    payment.kind,
    payment.deposit?.salt ?? '',
    call.fingerprints[0].toString('base64'),
    call.type,
    call.surface,
    call.taskFor(chargeKey(payment))?.key ?? '',
  ].join('/')
  const turn = await turns.run(channelId, copy, () => chargeInTurn(context, attempt))
  if (turn.kind === 'late') return outOfStep(context, attempt, await context.ledger.findChannel(channelId))
  const { result } = turn
  if (!turn.shared) return result
  return result.kind === 'sold' ? { ...result, replayed: true } : result
}

/**
 * "Nothing was charged" must not be said of a voucher that another replica has charged while this one looked at the
 * chain or at the deposit: what that call was answered needs neither. Nor of a deposit that was sent: it may be in.
 */
async function chargeInTurn(context: ChannelContext, attempt: ChannelAttempt): Promise<Sale> {
  const { channelId, amount } = attempt.payment.voucher
  const sale = await chargeNow(context, attempt)
  if (sale.kind === 'sold' || PROMISES[sale.code] !== 'never') return sale
  const row = await context.ledger.findChannel(channelId)
  if (row !== null && row.charged >= amount) return chargeNow(context, attempt)
  const isDoubtful = sale.code === 'facilitator_unavailable' && (await mayBeIn(context, attempt))
  return isDoubtful ? inDoubtUntilRepeat() : sale
}

async function chargeNow(context: ChannelContext, attempt: ChannelAttempt): Promise<Sale> {
  try {
    return await charge(context, attempt)
  } catch (error) {
    if (error instanceof ChainUnavailable) return declined('facilitator_unavailable')
    throw error
  }
}
