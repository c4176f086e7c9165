import { isDeepStrictEqual } from 'node:util'
import type { PaymentPayload, PaymentRequirements } from '@x402/core/types'
import type { ChannelService } from '../model/channel-service.ts'

/** What is wrong with the envelope in which an act reaches a facilitator; null for nothing. */
export function wrongInEnvelope(
  { offer }: Pick<ChannelService, 'offer'>,
  payment: Pick<PaymentPayload, 'x402Version' | 'accepted' | 'payload'>,
  requirements: PaymentRequirements,
): string | null {
  const { type, receiver, token } = payment.payload
  if (payment.x402Version !== 2) return 'an act has another version'
  const { scheme, network, asset, payTo } = offer
  const ofAct = { scheme, network, asset, amount: '0', payTo, maxTimeoutSeconds: 0, extra: {} }
  if (!isDeepStrictEqual(requirements, type === 'deposit' ? offer : ofAct))
    return `a ${type} has other requirements`
  if (!isDeepStrictEqual(payment.accepted, requirements)) return `a ${type} accepts other requirements`
  if (type === 'settle' && (receiver !== payTo || token !== asset)) return 'a payout is to another account'
  return null
}
