import type { Selectable } from 'kysely'
import type { ChannelCall, ChannelChange, ChannelRow, NewChannel } from './channel-store.ts'
import { toCall } from './rows.ts'
import type { ChannelTable } from './schema.ts'

export type StoredChannel = Selectable<ChannelTable>

/** A channel as stored, as the port shows it. */
export function toChannelRow(stored: StoredChannel): ChannelRow {
  return {
    id: stored.id,
    config: {
      payer: stored.payer,
      payerAuthorizer: stored.payer_authorizer,
      receiver: stored.receiver,
      receiverAuthorizer: stored.receiver_authorizer,
      token: stored.token,
      withdrawDelay: Number(stored.withdraw_delay),
      salt: stored.config_salt,
    },
    balance: BigInt(stored.balance),
    totalClaimed: BigInt(stored.total_claimed),
    refundNonce: BigInt(stored.refund_nonce),
    withdrawRequestedAt: Number(stored.withdraw_requested_at),
    readAt: Number(stored.read_at),
    charged: BigInt(stored.charged),
    signature: stored.signature,
    refunding: BigInt(stored.refunding),
    refunded: BigInt(stored.refunded),
    lastCall: {
      amount: BigInt(stored.amount),
      ...toCall(stored),
      chargedAt: Number(stored.charged_at),
      transaction: stored.tx,
    },
    mismatches: Number(stored.mismatches),
    calls: Number(stored.calls),
    openedAt: Number(stored.opened_at),
    revision: Number(stored.revision),
  }
}

const callColumns = (call: ChannelCall) => ({
  amount: call.amount.toString(),
  surface: call.surface,
  check_type: call.checkType,
  ruleset: call.ruleset,
  shape: call.shape,
  items: call.items,
  salt: call.salt,
  binding: call.binding,
  binding_key: call.bindingKey,
  charged_at: call.chargedAt,
  tx: call.transaction,
  mismatches: 0,
})

/** A new channel as it is written: one call, no refund. */
export function fromNewChannel(channel: NewChannel) {
  const { config } = channel
  return {
    id: channel.id,
    payer: config.payer,
    payer_authorizer: config.payerAuthorizer,
    receiver: config.receiver,
    receiver_authorizer: config.receiverAuthorizer,
    token: config.token,
    withdraw_delay: config.withdrawDelay,
    config_salt: config.salt,
    balance: channel.balance.toString(),
    total_claimed: channel.totalClaimed.toString(),
    refund_nonce: channel.refundNonce.toString(),
    withdraw_requested_at: channel.withdrawRequestedAt,
    read_at: channel.readAt,
    charged: channel.charged.toString(),
    signature: channel.signature,
    refunding: '0',
    ...callColumns(channel.lastCall),
    calls: 1,
    opened_at: channel.openedAt,
    revision: 0,
  }
}

/** The columns of a change, in one order for each of its forms. */
export function fromChannelChange(change: ChannelChange): Record<string, unknown> {
  const { balance, totalClaimed, refundNonce, withdrawRequestedAt, readAt } = change
  const { charged, signature, refunding, refunded, lastCall, calls } = change
  return {
    ...(balance === undefined ? {} : { balance: balance.toString() }),
    ...(totalClaimed === undefined ? {} : { total_claimed: totalClaimed.toString() }),
    ...(refundNonce === undefined ? {} : { refund_nonce: refundNonce.toString() }),
    ...(withdrawRequestedAt === undefined ? {} : { withdraw_requested_at: withdrawRequestedAt }),
    ...(readAt === undefined ? {} : { read_at: readAt }),
    ...(charged === undefined ? {} : { charged: charged.toString() }),
    ...(signature === undefined ? {} : { signature }),
    ...(refunding === undefined ? {} : { refunding: refunding.toString() }),
    ...(refunded === undefined ? {} : { refunded: refunded.toString() }),
    ...(lastCall === undefined ? {} : callColumns(lastCall)),
    ...(calls === undefined ? {} : { calls }),
  }
}
