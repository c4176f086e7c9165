/** A 0x-prefixed string of hexadecimal digits. */
export type Hex = `0x${string}`

export interface Block {
  readonly number: bigint
  /** UTC seconds, as the chain itself says. */
  readonly timestamp: number
}

/** One transfer the chain made for one authorization, named by its AuthorizationUsed log. */
export interface PaymentOnChain {
  readonly transaction: Hex
  /** Index within the block of the AuthorizationUsed log; the paired Transfer has the next one. */
  readonly logIndex: number
  readonly blockNumber: bigint
  /** UTC seconds of that block. */
  readonly blockTimestamp: number
}

/**
 * What the chain says of one (payer, nonce).
 *
 * `used` carries the paired logs that make it a payment of ours: AuthorizationUsed(payer, nonce) followed, as
 * the token's next log of the same transaction, by Transfer(payer, payTo, amount). No pair means used, but
 * paid to somebody else, for another amount, or outside of the blocks searched.
 */
export type AuthorizationTrace =
  | { readonly kind: 'unused' }
  | { readonly kind: 'used'; readonly payments: readonly PaymentOnChain[] }
  | { readonly kind: 'canceled' }

export interface AuthorizationQuery {
  readonly payer: Hex
  /** 32 bytes. */
  readonly nonce: Hex
  readonly payTo: Hex
  /** Atomic units of the token. */
  readonly amount: bigint
  /** Logs older than this block are not searched; without it the whole chain is. */
  readonly fromBlock?: bigint
}

/**
 * Read-only view of one token on one chain.
 *
 * Every method rejects with `ChainUnavailable`, and with nothing else, when the node does not give a usable answer.
 */
export interface ChainReader {
  /** The newest block. */
  head(): Promise<Block>
  /** One block by number; `ChainUnavailable` when the node does not have it. */
  block(number: bigint): Promise<Block>
  /** Whether the address holds code: a contract, or an account that delegates to one (EIP-7702). */
  hasCode(address: Hex): Promise<boolean>
  /** The payer's balance of the token, in atomic units. */
  balance(payer: Hex): Promise<bigint>
  /** The token's `authorizationState(payer, nonce)`: true once used or canceled; at one block when given. */
  authorizationUsed(payer: Hex, nonce: Hex, atBlock?: bigint): Promise<boolean>
  /** State and logs of one authorization. */
  trace(query: AuthorizationQuery): Promise<AuthorizationTrace>
  chainId(): Promise<number>
}

/** The node did not answer, answered late, or answered something that cannot be used. */
export class ChainUnavailable extends Error {
  override readonly name = 'ChainUnavailable'
}
