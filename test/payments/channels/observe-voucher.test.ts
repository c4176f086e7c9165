import { expect, test } from 'vitest'
import type { ChannelRow, ChannelState } from '../../../src/ledger/channels/channel-row.ts'
import type { ChannelAttempt, ChannelContext } from '../../../src/payments/channels/channel-context.ts'
import { observeOther } from '../../../src/payments/channels/charge/observe-voucher.ts'

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
  /** The scheme that is sold at the address. */
  readonly offers?: string
  readonly row?: Partial<ChannelRow> | null
  readonly fresh?: Partial<ChannelState>
  readonly isDepositIn?: boolean
  /** What may be charged and not claimed. */
  readonly most?: bigint
}

function eventOf({
  amount = 4_000n,
  offered = PRICE,
  offers = 'batch-settlement',
  row = {},
  fresh,
  isDepositIn = true,
  most = 2_000n,
}: Case) {
  const context = {
    terms: { accepts: () => true, requirementsFor: () => ({ extra: {} }) },
    now: () => NOW,
    exposure: { allows: (exposed: bigint) => exposed <= most },
    report: () => {},
  } as unknown as ChannelContext
  const attempt = {
    call: { items: 1 },
    payment: { voucher: { amount, channelId: '0x' }, accepted: { amount: `${offered}` }, config: {} },
    price: PRICE,
    quote: { required: () => ({ accepts: [{ scheme: offers }] }) },
  } as unknown as ChannelAttempt
  return observeOther(
    { context, attempt, isDepositIn },
    {
      row: row === null ? null : { ...ROW, ...row },
      fresh: fresh === undefined ? null : { ...ON_CHAIN, ...fresh },
    },
  )
}

test.each<[string, Case, string]>([
  ['one price further', {}, 'due'],
  ['behind the row, whatever it offers', { amount: 2_999n, offered: 1n }, 'out_of_step'],
  ['an address without channels', { offers: 'exact', amount: 2_999n }, 'other_terms'],
  ['another price', { offered: 999n }, 'other_terms'],
  ['behind the row', { amount: 3_999n }, 'out_of_step'],
  ['further than the row: what was claimed may say more', { amount: 5_000n }, 'unread'],
  ['further than row and claims', { amount: 5_000n, fresh: {} }, 'out_of_step'],
  ['further than the row, as claims say', { amount: 5_000n, fresh: { totalClaimed: 4_000n } }, 'due'],
  ['no row, chain not read', { row: null, amount: 1_000n }, 'unread'],
  ['no row, after what was claimed', { row: null, amount: 3_000n, fresh: {} }, 'due'],
  ['no row, not after what was claimed', { row: null, amount: 1_000n, fresh: {} }, 'out_of_step'],
  ['a deposit that is not in', { isDepositIn: false }, 'deposit'],
  ['a deposit beside a voucher out of turn', { isDepositIn: false, amount: 3_500n }, 'out_of_step'],
  ['more than the row has', { row: { balance: 3_999n } }, 'unread'],
  ['more than the row has beside a refund', { row: { refunding: 6_000n } }, 'unread'],
  ['a row that was read long ago', { row: { readAt: NOW - 3_600_000 } }, 'unread'],
  ['more than the chain has', { row: { balance: 3_999n }, fresh: { balance: 3_999n } }, 'out_of_step'],
  ['a payer who withdraws, says the row', { row: { withdrawRequestedAt: 1 } }, 'unread'],
  ['a payer who withdraws, says the chain', { fresh: { withdrawRequestedAt: 1 } }, 'closing'],
  ['one that withdraws no more, says the chain', { row: { withdrawRequestedAt: 1 }, fresh: {} }, 'due'],
  ['a deposit of one who withdraws', { isDepositIn: false, row: { withdrawRequestedAt: 1 } }, 'unread'],
  [
    'a deposit of one who withdraws, says the chain',
    { isDepositIn: false, fresh: { withdrawRequestedAt: 1 } },
    'deposit',
  ],
  ['all that the row has', { row: { balance: 4_000n } }, 'due'],
  ['all that the chain has', { row: { balance: 0n }, fresh: { balance: 4_000n } }, 'due'],
  ['a row that was read less than an hour ago', { row: { readAt: NOW - 3_599_999 } }, 'due'],
  ['more than may be charged and not claimed', { most: 1_999n }, 'exposed'],
  ['as much as was claimed elsewhere', { fresh: { totalClaimed: 3_000n }, most: 1_000n }, 'due'],
])('%s', (_, given, expected) => {
  expect(eventOf(given)).toBe(expected)
})
