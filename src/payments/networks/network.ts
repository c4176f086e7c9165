import type { Hex } from 'viem'

export interface Network {
  readonly name: string
  readonly title: string
  /** CAIP-2, as in x402 version 2 and in the store. */
  readonly id: `eip155:${number}`
  readonly v1Name: string
  readonly chainId: number
  readonly isRealMoney: boolean
  readonly token: {
    readonly address: Hex
    readonly decimals: number
    /** EIP-712 domain; compared with the token's `DOMAIN_SEPARATOR()`. */
    readonly domain: { readonly name: string; readonly version: string }
  }
  readonly contracts: {
    /** Payment channels (scheme batch-settlement) and their ERC-3009 deposit collector. */
    readonly channels: Hex
    readonly depositCollector: Hex
  }
  readonly blockMs: number
  readonly finalityDepth: bigint
  readonly explorer: string
  /** A public node with a low limit. */
  readonly publicNode: string
}
