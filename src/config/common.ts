import type { CleanSettings } from './settings.ts'

/** Settings of the app with the same meaning in both modes. All are required, so that no start can forget one. */
export type AppSettings = ReturnType<typeof readApp>

const readApp = (env: CleanSettings) => ({
  /** Unpaid and refused requests per minute and address; 0 is no limit. */
  rateLimitUnpaid: env.RATE_LIMIT_UNPAID,
  trustProxy: env.TRUST_PROXY,
  proofOnChain: env.SETTLEMENT_PROOF === 'chain',
  secretKey: env.SECRET_KEY ?? null,
  secretKeyPrevious: env.SECRET_KEY_PREVIOUS ?? null,
  /** Keys that signed before and are still published; PEM or JWK, private or public. */
  cardKeyPrevious: env.CARD_KEY_PREVIOUS ?? null,
  receiptKeyPrevious: env.RECEIPT_KEY_PREVIOUS ?? null,
  contactEmail: env.CONTACT_EMAIL ?? null,
  supportUrl: env.SUPPORT_URL ?? null,
  termsUrl: env.TERMS_URL ?? null,
  packageName: env.PACKAGE ?? null,
  wellKnownDir: env.WELL_KNOWN_DIR ?? null,
  incidentsFile: env.INCIDENTS_FILE ?? null,
  /** Lower-case addresses whose sales are not revenue. */
  ownPayers: env.OWN_PAYERS ?? [],
})

export type CommonConfig = ReturnType<typeof readCommon>

export const readCommon = (env: CleanSettings) => ({
  /** 0 picks a free one. */
  port: env.PORT ?? 4021,
  logLevel: env.LOG_LEVEL,
  /** Connections open at once; 0 is no limit. */
  maxConnections: env.MAX_CONNECTIONS,
  /** Connections open at once from one client address; 0 behind a proxy, from which all of them come. */
  maxConnectionsPerAddress: env.TRUST_PROXY > 0 ? 0 : env.MAX_CONNECTIONS_PER_ADDRESS,
  app: readApp(env),
})
