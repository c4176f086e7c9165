import type { FacilitatorClient } from '@x402/core/server'
import type { AppSettings } from '../config/common.ts'
import type { Middleware } from '../http/middleware.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { Log } from '../log.ts'
import type { ChainReader } from '../payments/chain/chain-reader.ts'
import type { ChannelParts } from '../payments/channels/channels.ts'
import type { Network } from '../payments/networks/network.ts'
import type { GasLevel, SettlementState } from '../payments/ports/own-settlement.ts'
import type { SignerState } from '../payments/ports/signer.ts'
import type { JwsKey } from '../receipts/jws-key.ts'
import type { NonEmpty } from '../values/non-empty.ts'

export interface NetworkParts {
  readonly network: Network
  readonly facilitator: FacilitatorClient
  /** Gas left in the account that pays for settlements; absent if the facilitator pays. */
  readonly gasLevel?: () => Promise<GasLevel>
  /** The queue of this process's own settlements; absent if another facilitator settles. */
  readonly settlementState?: () => SettlementState
  /** What another facilitator asks for a settlement, in millionths of a dollar; nothing by default. */
  readonly facilitatorFee?: bigint
  readonly chain: ChainReader
  readonly finalityDepth: bigint
}

export interface AppOptions extends AppSettings {
  /** Documents name the first one, which alone has payment channels; terms are offered on all. */
  readonly networks: NonEmpty<NetworkParts>
  /** Public address without a trailing slash; every published URL is made from it. */
  readonly baseUrl: string
  readonly payTo: string
  /** The facilitator as published in the listing. */
  readonly facilitatorUrl: string
  readonly ledger: Ledger
  /** Directory of generated keys; null if every key is configured. */
  readonly dataDir: string | null
  /** PEM or JWK; by default that in `dataDir`. */
  readonly cardKey?: string | JwsKey | null
  /** PEM or JWK; by default that in `dataDir`. */
  readonly receiptKey?: string | JwsKey | null
  /** Whether keys that are in another process can be reached; absent if they are in this one. */
  readonly signerState?: () => SignerState
  /** True if the service listens on loopback only. */
  readonly loopback: boolean
  readonly sandbox: boolean
  /** Payment channels; absent if they are off. */
  readonly channels?: ChannelParts
  /** Further routes, asked before the 404. */
  readonly extraRoutes?: readonly Middleware[]
  readonly now: () => number
  readonly log: Log
}
