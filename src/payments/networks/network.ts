import type { Hex } from 'viem'

/** Everything that differs between the networks payments are taken on; data only. */
export interface Network {
  /** The value of NETWORK. */
  readonly name: string
  /** As pages and errors call it. */
  readonly title: string
  /** CAIP-2, as x402 version 2 and the rows name it. */
  readonly id: `eip155:${number}`
  /** The name in x402 version 1. */
  readonly v1Name: string
  readonly chainId: number
  /** False for test money. */
  readonly isRealMoney: boolean
  readonly token: {
    readonly address: Hex
    readonly decimals: number
    /** EIP-712 domain; whether the token has it is checked against `DOMAIN_SEPARATOR()`. */
    readonly domain: { readonly name: string; readonly version: string }
  }
  readonly contracts: {
    /** Payment channels (scheme batch-settlement), and its ERC-3009 deposit collector. */
    readonly channels: Hex
    readonly depositCollector: Hex
  }
  readonly blockMs: number
  /** Blocks under the head after which a state counts as final. */
  readonly finalityDepth: bigint
  readonly explorer: string
  /** A node anyone may ask, at a low rate. */
  readonly publicNode: string
}
