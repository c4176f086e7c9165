import type { PaymentPayload } from '@x402/core/types'
import type { Hex } from 'viem'

/** A signed payment whose outcome is not known yet. */
export interface PendingCall {
  readonly payload: PaymentPayload
  /** The sum that its voucher is signed for: all prices, this one included. Atomic units. */
  readonly total: bigint
  /** Atomic units; 0 without a deposit. */
  readonly deposit: bigint
  /** The {@link ChannelBook.callKey} of its request. */
  readonly call: string
}

/** What a buyer knows of its channel, in atomic units. */
export interface ChannelAccount {
  /** Deposited and not paid back. */
  readonly balance: bigint
  /** The sum of all prices known to be charged. */
  readonly charged: bigint
  /** The highest sum that was ever signed: the service can claim no more. */
  readonly signed: bigint
  readonly pending: PendingCall | null
}

export interface ChannelBook {
  find(id: string): ChannelAccount | null
  /** Durable when it returns. */
  write(id: string, account: ChannelAccount): void
  /** A keyed hash that stands for a request. The key is in the book: its reader can test guesses of the value. */
  callKey(type: string, value: string): string
}

export interface ChannelOnChain {
  readonly balance: bigint
  readonly totalClaimed: bigint
}

/** Rejects with {@link NoNode} alone. */
export type ReadChannel = (id: Hex) => Promise<ChannelOnChain>

export class NoNode extends Error {
  override readonly name = 'NoNode'
}

/** For a channel that the book does not have: at least what was claimed was charged. */
export const accountOf = ({ balance, totalClaimed }: ChannelOnChain): ChannelAccount => ({
  balance,
  charged: totalClaimed,
  signed: totalClaimed,
  pending: null,
})
