import type { PaymentPayload } from '@x402/core/types'
import type { Hex } from 'viem'

/** A signed payment whose outcome is not known yet. */
export interface PendingCall {
  readonly payload: PaymentPayload
  /** What its voucher is signed for, in atomic units: the sum of all prices with this one. */
  readonly total: bigint
  /** What it deposits; 0 without a deposit. */
  readonly deposit: bigint
  /** Stands for the request it was signed for; who has the book can compare it with guesses at the value. */
  readonly call: string
}

/** What a buyer knows of its channel. Atomic units. */
export interface ChannelAccount {
  /** Deposited and not paid back. */
  readonly balance: bigint
  /** The sum of all prices that the service is known to have charged. */
  readonly charged: bigint
  /** The highest sum that was ever signed: more can never be taken. */
  readonly signed: bigint
  readonly pending: PendingCall | null
}

export interface ChannelBook {
  find(id: string): ChannelAccount | null
  /** Durable when it returns. */
  write(id: string, account: ChannelAccount): void
  /** Stands for a request in {@link PendingCall}. */
  callKey(type: string, value: string): string
}

export interface ChannelOnChain {
  readonly balance: bigint
  readonly totalClaimed: bigint
}

/** Reads a channel from a node; rejects if none answers. */
export type ReadChannel = (id: Hex) => Promise<ChannelOnChain>

/** An account from the chain alone, for a buyer without one of its own: what was claimed was charged. */
export const accountOf = ({ balance, totalClaimed }: ChannelOnChain): ChannelAccount => ({
  balance,
  charged: totalClaimed,
  signed: totalClaimed,
  pending: null,
})
