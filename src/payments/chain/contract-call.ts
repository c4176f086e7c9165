import type { Hex } from 'viem'

export interface ContractCall {
  readonly to: Hex
  readonly data: Hex
}

/** What a transaction asks for; `to` is null for code that runs once and stays nowhere. */
export interface TransactionCall {
  readonly to: Hex | null
  readonly data: Hex
}

/** The data of a transaction that only gives a nonce up. */
export const CANCEL_DATA: Hex = '0x'
