import { ERRORS, type ErrorCode } from '../../../errors.ts'
import { PUBLIC_STATES } from '../../../payments/ports/payment-state.ts'
import { type HeaderName, headerRefs } from './headers.ts'
import { freeOperation } from './operations.ts'
import { responseRefs } from './responses.ts'
import { jsonOf } from './schema-parts.ts'
import { problemOfCodes } from './schemas.ts'

const hex = (digits: number) => ({ type: 'string', pattern: `^0[xX][0-9a-fA-F]{${digits}}$` })

const EXAMPLE = {
  payer: `0x${'12'.repeat(20)}`,
  nonce: `0x${'34'.repeat(32)}`,
  state: 'settled',
  transaction: `0x${'56'.repeat(32)}`,
}

const STATE = {
  type: 'object',
  required: ['payer', 'nonce', 'state'],
  properties: {
    payer: hex(40),
    nonce: hex(64),
    state: { type: 'string', enum: [...PUBLIC_STATES] },
    transaction: { ...hex(64), description: 'If settled.' },
    detail: { type: 'string' },
  },
}

export function paymentStateOperation() {
  const failure = (code: ErrorCode, ...headers: HeaderName[]) => ({
    description: ERRORS[code].detail,
    headers: headerRefs('X-Request-Id', 'Cache-Control', ...headers),
    content: { 'application/problem+json': { schema: problemOfCodes([code]) } },
  })
  return {
    ...freeOperation(
      'get_payment_state',
      'Ask what has become of one payment',
      'Free: the state of a signed authorization, and its transaction once settled. To get the verdict, ' +
        'repeat the paid request unchanged.',
    ),
    parameters: [
      { name: 'payer', in: 'path', required: true, description: 'Who signed.', schema: hex(40) },
      { name: 'nonce', in: 'path', required: true, description: 'Nonce that was signed.', schema: hex(64) },
    ],
    responses: {
      200: {
        description:
          'Settled: paid. Void: not charged. Refused: not charged as far as known. Claimed, settling or in_doubt: not known yet, do not sign a new payment. Not needed: another payment answered the call; this one buys another.',
        headers: headerRefs('X-Request-Id', 'Cache-Control'),
        content: jsonOf(STATE, { settled: { summary: 'A payment that is settled', value: EXAMPLE } }),
      },
      400: failure('payment_key_malformed'),
      404: failure('payment_not_found'),
      ...responseRefs(405, 429, 500),
      503: failure('payment_state_unknown', 'Retry-After'),
    },
  }
}
