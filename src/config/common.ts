import type { CleanSettings } from './settings.ts'

/** What the sandbox and live mode read alike. */
export interface CommonConfig {
  /** 0 picks a free one. */
  readonly port: number
  readonly logLevel: 'silent' | 'error' | 'warn' | 'info'
  /** Unpaid and refused requests per minute and address; 0 is no limit. */
  readonly rateLimitUnpaid: number
  /** Own proxies in front of this process whose X-Forwarded-For entries are believed. */
  readonly trustProxy: number
  /** Connections open at once; 0 is no limit. */
  readonly maxConnections: number
  /** Connections open at once from one client address; 0 is no limit. */
  readonly maxConnectionsPerAddress: number
  readonly facilitatorVerify: 'auto' | 'always'
  readonly settlementProof: 'facilitator' | 'chain'
  /** Blocks under the head at which a transfer counts with `settlementProof` `chain`. */
  readonly settlementDepth: number
  readonly secretKey: Buffer | null
  readonly secretKeyPrevious: Buffer | null
  /** Keys that signed before and are still published; PEM or JWK, whole or public. */
  readonly cardKeyPrevious: string | null
  readonly receiptKeyPrevious: string | null
  /** Published with the documents; null where the operator gave none. */
  readonly contactEmail: string | null
  /** Linked from the site; null if not set. */
  readonly supportUrl: string | null
  readonly termsUrl: string | null
  readonly packageName: string | null
  /** Folder of files to publish under `/.well-known/`; null if not set. */
  readonly wellKnownDir: string | null
  /** Lower-case addresses whose sales are not revenue. */
  readonly ownPayers: readonly string[]
}

/** Returns the part of the configuration that both modes share; each mode adds its own and judges the whole. */
export const readCommon = (env: CleanSettings): CommonConfig => ({
  port: env.PORT ?? 4021,
  logLevel: env.LOG_LEVEL,
  rateLimitUnpaid: env.RATE_LIMIT_UNPAID,
  trustProxy: env.TRUST_PROXY,
  maxConnections: env.MAX_CONNECTIONS,
  maxConnectionsPerAddress: env.TRUST_PROXY > 0 ? 0 : env.MAX_CONNECTIONS_PER_ADDRESS,
  facilitatorVerify: env.FACILITATOR_VERIFY,
  settlementProof: env.SETTLEMENT_PROOF,
  settlementDepth: env.SETTLEMENT_DEPTH,
  secretKey: env.SECRET_KEY ?? null,
  secretKeyPrevious: env.SECRET_KEY_PREVIOUS ?? null,
  cardKeyPrevious: env.CARD_KEY_PREVIOUS ?? null,
  receiptKeyPrevious: env.RECEIPT_KEY_PREVIOUS ?? null,
  contactEmail: env.CONTACT_EMAIL ?? null,
  supportUrl: env.SUPPORT_URL ?? null,
  termsUrl: env.TERMS_URL ?? null,
  packageName: env.PACKAGE ?? null,
  wellKnownDir: env.WELL_KNOWN_DIR ?? null,
  ownPayers: env.OWN_PAYERS ?? [],
})
