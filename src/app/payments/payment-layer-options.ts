import type { FacilitatorClient } from '@x402/core/server'
import type { Ledger } from '../../ledger/ledger.ts'
import type { Log } from '../../log.ts'
import type { ChainReader } from '../../payments/chain/chain-reader.ts'
import type { ChannelEvent } from '../../payments/channels/channel-context.ts'
import type { ChannelParts } from '../../payments/channels/channels.ts'
import type { Network } from '../../payments/networks/network.ts'
import type { SaleReport, SaleTiming } from '../../payments/sale/table/sale-context.ts'
import type { Keyring } from '../../payments/secrets/keyring.ts'
import type { SkillRegistry } from '../../skills/skill.ts'

/** The parts and settings of the payment layer. */
export interface PaymentLayerOptions {
  readonly registry: SkillRegistry
  readonly ledger: Ledger
  readonly facilitator: FacilitatorClient
  readonly network: Network
  readonly chain: ChainReader
  readonly keys: Keyring
  readonly baseUrl: string
  readonly payTo: string
  /** Directory of generated keys; null if the receipt key is configured. */
  readonly dataDir: string | null
  /** The key that signs offers and receipts (PEM or JWK); by default the one kept in `dataDir`. */
  readonly receiptKey?: string | null
  /** Payment channels; absent if they are off. */
  readonly channels?: ChannelParts
  readonly finalityDepth: bigint
  readonly proofOnChain: boolean
  readonly maySettle: () => boolean
  /** Whether that is because a day has lost what it may; false by default. */
  readonly isBudgetSpent?: () => boolean
  /** Shorter waits, for tests. */
  readonly timing?: Partial<SaleTiming>
  readonly now: () => number
  /** UTC milliseconds by the chain's clock; the local clock by default. */
  readonly chainTime?: () => number | null
  /** Number of the newest block; null, the default, when it is not known. */
  readonly headNumber?: () => bigint | null
  readonly log: Log
  /** Called with every count and event, for the metrics. */
  readonly onCount?: (surface: string, checkType: string, outcome: string) => void
  readonly onEvent?: (event: SaleReport['event'] | ChannelEvent) => void
}
