import type { FacilitatorClient } from '@x402/core/server'
import type { Middleware } from '../http/middleware.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { Log } from '../log.ts'
import type { ChainReader } from '../payments/chain/chain-reader.ts'
import type { GasLevel } from '../payments/facilitators/gas-level.ts'

/** The parts and settings an app is built of; where they come from is for whoever starts it to know. */
export interface AppOptions {
  /** Public address without a trailing slash; every published URL is made from it. */
  readonly baseUrl: string
  readonly payTo: string
  /** The facilitator as published in the listing. */
  readonly facilitatorUrl: string
  readonly facilitator: FacilitatorClient
  /** For how long the account that pays for settlements will do; absent where the facilitator pays. */
  readonly gasLevel?: () => Promise<GasLevel>
  readonly chain: ChainReader
  readonly ledger: Ledger
  /** Directory of generated keys; null where every key is given. */
  readonly dataDir: string | null
  /** The key that signs the agent card (PEM or JWK); without it the one kept in `dataDir`. */
  readonly cardKey?: string | null
  /** The key that signs offers and receipts (PEM or JWK); without it the one kept in `dataDir`. */
  readonly receiptKey?: string | null
  /** What signed the card, and offers and receipts, before; still published. */
  readonly cardKeyPrevious?: string | null
  readonly receiptKeyPrevious?: string | null
  readonly secretKey: Buffer | null
  readonly secretKeyPrevious: Buffer | null
  /** Blocks under the head at which a state counts as final. */
  readonly finalityDepth: bigint
  readonly verifyAlways: boolean
  readonly proofOnChain: boolean
  readonly rateLimitUnpaid: number
  readonly trustProxy: number
  /** Loopback address: only this machine may call. */
  readonly loopback: boolean
  readonly sandbox: boolean
  /** Where the operator reads mail; published. */
  readonly contactEmail?: string | null
  /** Pages of the operator, linked from the site. */
  readonly supportUrl?: string | null
  readonly termsUrl?: string | null
  /** Addresses whose sales the operator's view does not count as revenue; lower-case. */
  readonly ownPayers?: readonly string[]
  /** Further routes, asked before the 404. */
  readonly extraRoutes?: readonly Middleware[]
  readonly now: () => number
  readonly log: Log
}
