import type { Hex } from 'viem'

export interface Block {
  readonly number: bigint
  /** UTC seconds, by the chain's own clock. */
  readonly timestamp: number
}

/** The place of an AuthorizationUsed log; its Transfer has the next index. */
export interface LogPlace {
  readonly transaction: Hex
  readonly logIndex: number
  readonly blockNumber: bigint
}

/** What the chain says of one authorization within the searched blocks. */
export type AuthorizationTrace =
  | { readonly kind: 'unused' }
  | {
      readonly kind: 'used'
      /** Uses that paid the amount to the payee. */
      readonly payments: readonly LogPlace[]
      /** Uses that paid another account, or another amount. */
      readonly elsewhere: readonly LogPlace[]
    }
  | { readonly kind: 'canceled' }

export interface AuthorizationQuery {
  readonly payer: Hex
  /** 32 bytes. */
  readonly nonce: Hex
  readonly payTo: Hex
  /** Atomic units. */
  readonly amount: bigint
  /** The one that is said to have paid: a hash in lower case. Logs are searched only if it did not. */
  readonly transaction?: Hex | null
  /** 0 by default. */
  readonly fromBlock?: bigint
  readonly toBlock?: bigint
}

export interface IncomingTransfer extends LogPlace {
  readonly from: Hex
  /** Atomic units. */
  readonly amount: bigint
  /** The nonce of its EIP-3009 authorization; null for any other transfer. */
  readonly nonce: Hex | null
}

/** The first blocks of a range, as many as the node searches at once. */
export interface TransferWindow {
  /** In order. */
  readonly transfers: readonly IncomingTransfer[]
  /** The last block that was searched. */
  readonly toBlock: bigint
}

/** Read-only view of one token on one chain. Every method rejects with `ChainUnavailable` and nothing else. */
export interface ChainReader {
  /** How many blocks on top make one final; 0 if blocks are never replaced. */
  readonly finalityDepth: bigint
  head(): Promise<Block>
  /** `ChainUnavailable` if the node does not have the block. */
  block(number: bigint): Promise<Block>
  /** Whether the address holds code: a contract, or an account that delegates to one (EIP-7702). */
  hasCode(address: Hex): Promise<boolean>
  /** Atomic units. */
  balance(payer: Hex): Promise<bigint>
  /** True once used or canceled; as of `atBlock` if given. */
  authorizationUsed(payer: Hex, nonce: Hex, atBlock?: bigint): Promise<boolean>
  trace(query: AuthorizationQuery): Promise<AuthorizationTrace>
  /** What the node gives in one answer; both blocks are included. */
  transfersTo(payee: Hex, fromBlock: bigint, toBlock: bigint): Promise<TransferWindow>
  chainId(): Promise<number>
}

/** `wrong_chain`: the node serves another chain, or one with another token or none. */
export type ChainFault = 'no_answer' | 'wrong_chain'

/** The node did not answer, answered late, or gave an unusable answer. */
export class ChainUnavailable extends Error {
  override readonly name = 'ChainUnavailable'
  readonly fault: ChainFault

  constructor(message: string, options: ErrorOptions & { readonly fault?: ChainFault } = {}) {
    super(message, options)
    this.fault = options.fault ?? 'no_answer'
  }
}

export async function askNode<T>(question: () => Promise<T>): Promise<T> {
  try {
    return await question()
  } catch (cause) {
    throw new ChainUnavailable('the chain could not be read', { cause })
  }
}

/** Null if the node did not answer. */
export async function ifAnswered<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ChainUnavailable) return null
    throw error
  }
}
