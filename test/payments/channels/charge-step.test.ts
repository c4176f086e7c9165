import { expect, test } from 'vitest'
import type { ChannelRow, ChannelState } from '../../../src/ledger/channel-store.ts'
import type { ChannelAttempt, ChannelContext } from '../../../src/payments/channels/sale/channel-context.ts'
import { chargeStep } from '../../../src/payments/channels/sale/charge-step.ts'

const PRICE = 1_000n
const NOW = 1_800_000_000_000
const ON_CHAIN: ChannelState = {
  balance: 9_000n,
  totalClaimed: 2_000n,
  refundNonce: 0n,
  withdrawRequestedAt: 0,
}
const ROW = {
  ...ON_CHAIN,
  charged: 3_000n,
  signature: '0x',
  refunding: 0n,
  refundNonce: 0n,
  readAt: NOW,
  config: {},
  lastCall: { transaction: null },
} as unknown as ChannelRow

interface Case {
  /** Of the voucher. */
  readonly amount?: bigint
  readonly offered?: bigint
  readonly row?: Partial<ChannelRow> | null
  readonly fresh?: Partial<ChannelState>
  readonly isDepositIn?: boolean
  readonly isExposed?: boolean
}

function stepOf({ amount = 4_000n, offered = PRICE, row = {}, fresh, isDepositIn = true, isExposed }: Case) {
  const context = {
    terms: { accepts: () => true, requirementsFor: () => ({ extra: {} }) },
    now: () => NOW,
    exposure: { allows: () => isExposed !== true },
    report: () => {},
  } as unknown as ChannelContext
  const attempt = {
    call: { items: 1 },
    payment: { voucher: { amount, channelId: '0x' }, accepted: { amount: `${offered}` }, config: {} },
    quote: { required: () => ({ accepts: [] }) },
    price: PRICE,
  } as unknown as ChannelAttempt
  const step = chargeStep(context, attempt, {
    row: row === null ? null : { ...ROW, ...row },
    fresh: fresh === undefined ? null : { ...ON_CHAIN, ...fresh },
    isDepositIn,
  })
  return step.kind === 'answer' && step.sale.kind !== 'sold' ? step.sale.code : step.kind
}

test.each<[string, Case, string]>([
  ['one price further', {}, 'charge'],
  ['the newest voucher again', { amount: 3_000n }, 'repeat'],
  ['the newest voucher again, whatever it offers', { amount: 3_000n, offered: 1n }, 'repeat'],
  ['another price', { offered: 999n }, 'payment_terms_mismatch'],
  ['behind the row', { amount: 3_999n }, 'channel_out_of_step'],
  ['further than the row: what was claimed may say more', { amount: 5_000n }, 'read_chain'],
  ['further than row and claims', { amount: 5_000n, fresh: {} }, 'channel_out_of_step'],
  ['further than the row, as claims say', { amount: 5_000n, fresh: { totalClaimed: 4_000n } }, 'charge'],
  ['no row, chain not read', { row: null, amount: 1_000n }, 'read_chain'],
  ['no row, after what was claimed', { row: null, amount: 3_000n, fresh: {} }, 'charge'],
  ['no row, not after what was claimed', { row: null, amount: 1_000n, fresh: {} }, 'channel_out_of_step'],
  ['a deposit that is not in', { isDepositIn: false }, 'bring_in'],
  ['a deposit beside a voucher out of turn', { isDepositIn: false, amount: 3_500n }, 'channel_out_of_step'],
  ['more than the row has', { row: { balance: 3_999n } }, 'read_chain'],
  ['more than the row has beside a refund', { row: { refunding: 6_000n } }, 'read_chain'],
  ['a row that was read long ago', { row: { readAt: NOW - 3_600_000 } }, 'read_chain'],
  [
    'more than the chain has',
    { row: { balance: 3_999n }, fresh: { balance: 3_999n } },
    'channel_out_of_step',
  ],
  ['a payer who withdraws, says the row', { row: { withdrawRequestedAt: 1 } }, 'read_chain'],
  ['a payer who withdraws, says the chain', { fresh: { withdrawRequestedAt: 1 } }, 'channel_closing'],
  ['more than may be charged and not claimed', { isExposed: true }, 'facilitator_unavailable'],
])('%s', (_, given, expected) => {
  expect(stepOf(given)).toBe(expected)
})
