import type { PaymentPayload } from '@x402/core/types'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { ChannelAttempt, ChannelContext } from '../../../src/payments/channels/channel-context.ts'
import { judgeDeposit } from '../../../src/payments/channels/deposits/judge-deposit.ts'
import { sendDeposit } from '../../../src/payments/channels/deposits/send-deposit.ts'
import {
  type Deposit,
  decodeChannelPayment,
} from '../../../src/payments/channels/voucher/decode-channel-payment.ts'
import { type ChannelBench, startChannelBench } from '../../support/channel-bench.ts'

const HASH = `0x${'cd'.repeat(32)}`
const TERMS = { scheme: 'batch-settlement', amount: '1000' }

let bench: ChannelBench
let signed: Record<string, unknown>
let attempt: ChannelAttempt
let deposit: Deposit
let sent: [PaymentPayload, unknown][]
beforeAll(async () => {
  bench = await startChannelBench()
  signed = (await bench.buyer().sign()).payload as never
  const payment = decodeChannelPayment(signed, 'eip155:8453')
  deposit = payment?.deposit as Deposit
  attempt = { payment, call: bench.call(), quote: { required: () => ({}) } } as never
})
afterAll(() => bench.stop())
beforeEach(() => {
  sent = []
})

const outcomeOf = (reply: object) =>
  sendDeposit(
    {
      terms: { requirementsFor: () => TERMS },
      facilitator: {
        settle: async (...act: [PaymentPayload, unknown]) => {
          sent.push(act)
          return reply
        },
      },
    } as never,
    attempt,
    deposit,
  )

test('a facilitator gets what the client signed, and nothing else of it', async () => {
  expect(await outcomeOf({ success: true, transaction: HASH })).toEqual({ kind: 'sent', transaction: HASH })
  const { payload } = structuredClone(signed) as { payload: { deposit: { authorization: object } } }
  expect(sent).toHaveLength(1)
  const [given, terms] = sent[0] as [PaymentPayload, unknown]
  expect(terms).toEqual(TERMS)
  expect(JSON.stringify(given).toLowerCase()).toBe(
    JSON.stringify({ x402Version: 2, accepted: TERMS, payload: inOrder(payload as never) }).toLowerCase(),
  )
})

/** The members of a deposit in the order in which it is sent. */
const inOrder = ({ channelConfig, voucher, deposit: given }: Record<string, Record<string, unknown>>) => {
  const { erc3009Authorization: authorization } = given?.authorization as Record<
    string,
    Record<string, unknown>
  >
  const { validAfter, validBefore, salt, signature } = authorization as Record<string, string>
  const {
    payer,
    payerAuthorizer,
    receiver,
    receiverAuthorizer,
    token,
    withdrawDelay,
    salt: ofChannel,
  } = channelConfig as Record<string, unknown>
  return {
    type: 'deposit',
    channelConfig: {
      ...{ payer, payerAuthorizer, receiver, receiverAuthorizer, token, withdrawDelay, salt: ofChannel },
    },
    voucher: {
      channelId: voucher?.channelId,
      maxClaimableAmount: voucher?.maxClaimableAmount,
      signature: voucher?.signature,
    },
    deposit: {
      amount: given?.amount,
      authorization: {
        erc3009Authorization: {
          ...{ validAfter, validBefore },
          salt: `0x${BigInt(salt ?? 0)
            .toString(16)
            .padStart(64, '0')}`,
          signature,
        },
      },
    },
  }
}

test.each([
  ['insufficient_balance', 'payment_insufficient_funds'],
  ['receive_authorization_signature', 'payment_invalid_signature'],
  ['voucher_signature', 'payment_invalid_signature'],
  ['payload_authorization_valid_before', 'payment_expired'],
  ['payload_authorization_valid_after', 'payment_not_yet_valid'],
  ['eip6492_factory_not_allowed', 'payment_invalid_signature'],
  ['channel_id_mismatch', 'payment_refused'],
  ['receiver_mismatch', 'payment_refused'],
  ['receiver_authorizer_mismatch', 'payment_refused'],
  ['token_mismatch', 'payment_refused'],
  ['withdraw_delay_mismatch', 'payment_refused'],
])('a deposit refused for %s is answered with %s', async (reason, code) => {
  const errorReason = `invalid_batch_settlement_evm_${reason}`
  expect(await outcomeOf({ success: false, transaction: '', errorReason })).toEqual({ kind: 'refused', code })
  // A hash, or an unknown reason, leaves it in doubt.
  for (const doubt of [
    { transaction: HASH },
    { errorReason: `${errorReason}_2` },
    { errorReason: undefined },
  ])
    expect(await outcomeOf({ success: false, transaction: '', errorReason, ...doubt })).toEqual({
      kind: 'doubtful',
    })
})

test('a facilitator without channels refuses every deposit; a success without a hash is in doubt', async () => {
  const errorReason = 'unsupported_scheme'
  expect(await outcomeOf({ success: false, transaction: '', errorReason })).toEqual({
    ...{ kind: 'refused', code: 'payment_refused' },
  })
  for (const transaction of ['', undefined, 'done'])
    expect(await outcomeOf({ success: true, transaction })).toEqual({ kind: 'doubtful' })
})

test.each([
  [null, 'payment_terms_mismatch'],
  ['claimed', 'payment_terms_mismatch'],
  ['void', 'payment_terms_mismatch'],
  ['settling', 'payment_already_used'],
  ['in_doubt', 'payment_already_used'],
  ['refused', 'payment_already_used'],
  ['settled', 'payment_already_used'],
])('a deposit, too small, for a task whose single payment is %s is answered with %s', async (state, code) => {
  const key = { nonce: 'of the task' }
  const context = {
    ledger: { find: async (asked: unknown) => (asked === key && state !== null ? { state } : null) },
    terms: { minDeposit: () => deposit.amount + 1n, requirementsFor: () => TERMS },
  } as unknown as ChannelContext
  const attached = { ...attempt, call: { ...attempt.call, task: { attachedTo: key } } } as never
  expect(await judgeDeposit(context, attached, deposit, 0n)).toMatchObject({ code })
  expect(await judgeDeposit(context, attempt, deposit, 0n)).toMatchObject({ code: 'payment_terms_mismatch' })
})
