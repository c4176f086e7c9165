import type { FacilitatorClient } from '@x402/core/server'
import type { AppSettings } from '../config/common.ts'
import type { Middleware } from '../http/middleware.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { Log } from '../log.ts'
import type { ChainReader } from '../payments/chain/chain-reader.ts'
import type { ChannelParts } from '../payments/channels/channels.ts'
import type { Network } from '../payments/networks/network.ts'
import type { GasLevel, SettlementState } from '../payments/ports/own-settlement.ts'
import type { Signer } from '../payments/ports/signer.ts'
import type { NonEmpty } from '../values/non-empty.ts'

export interface NetworkParts {
  readonly network: Network
  readonly facilitator: FacilitatorClient
  /** Absent if the facilitator pays. */
  readonly gasLevel?: () => Promise<GasLevel>
  /** Absent if another facilitator settles. */
  readonly settlementState?: () => SettlementState
  /** For each settlement, in millionths of a dollar. */
  readonly facilitatorFee?: bigint
  readonly chain: ChainReader
}

export interface AppOptions extends AppSettings {
  /** Documents name the first one, which alone has payment channels; terms are offered on all. */
  readonly networks: NonEmpty<NetworkParts>
  /** Without a trailing slash. */
  readonly baseUrl: string
  readonly payTo: string
  readonly facilitatorUrl: string
  readonly ledger: Ledger
  /** Null if every key is configured. */
  readonly dataDir: string | null
  /** Its keys go before those of the settings. */
  readonly signer?: Pick<Signer, 'card' | 'receipt' | 'state'>
  readonly loopback: boolean
  readonly sandbox: boolean
  readonly channels?: ChannelParts
  /** Further routes, asked before the 404. */
  readonly extraRoutes?: readonly Middleware[]
  readonly now: () => number
  readonly log: Log
}
