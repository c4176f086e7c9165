import { randomBytes } from 'node:crypto'
import type { NewChannel } from '../../src/ledger/channels/channel-row.ts'
import type { DepositRow } from '../../src/ledger/channels/deposit-row.ts'

export const hex = (bytes: number) => `0x${randomBytes(bytes).toString('hex')}`

export const newChannel = (change: Partial<NewChannel> = {}): NewChannel => ({
  id: hex(32),
  config: {
    payer: hex(20),
    payerAuthorizer: hex(20),
    receiver: hex(20),
    receiverAuthorizer: hex(20),
    token: hex(20),
    withdrawDelay: 86_400,
    salt: hex(32),
  },
  balance: 250_000n,
  totalClaimed: 0n,
  refundNonce: 0n,
  withdrawRequestedAt: 0,
  readAt: 1_000,
  charged: 1_000n,
  signature: hex(65),
  lastCall: {
    amount: 1_000n,
    surface: 'rest',
    checkType: 'iban',
    ruleset: 'r1',
    shape: 'single',
    items: 1,
    salt: randomBytes(16),
    binding: randomBytes(32),
    bindingKey: 'binding-key/2026-11-22T02',
    chargedAt: 1_000,
    transaction: null,
  },
  openedAt: 1_000,
  ...change,
})

export const newDeposit = (change: Partial<DepositRow> = {}): DepositRow => ({
  payer: hex(20),
  nonce: hex(32),
  channel: hex(32),
  amount: 250_000n,
  voucher: 1_000n,
  validBefore: 120,
  state: 'sending',
  owner: 'boot-1',
  leaseUntil: 30_000,
  transaction: null,
  claimedAt: 1_000,
  ...change,
})
