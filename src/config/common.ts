import type { CleanSettings } from './settings.ts'

/** Settings of the app with the same meaning in both modes. All are required, so that no start can forget one. */
export type AppSettings = ReturnType<typeof readApp>

const readApp = (env: CleanSettings) => ({
  limits: readLimits(env),
  proofOnChain: env.SETTLEMENT_PROOF === 'chain',
  keys: readKeys(env),
  /** What is published of the operator. */
  operator: {
    operatorName: env.OPERATOR_NAME ?? null,
    contactEmail: env.CONTACT_EMAIL ?? null,
    supportUrl: env.SUPPORT_URL ?? null,
    termsUrl: env.TERMS_URL ?? null,
    packageName: env.PACKAGE ?? null,
    operatorDir: env.OPERATOR_DIR ?? null,
  },
  ownPayers: env.OWN_PAYERS ?? [],
})

/** What clients may take, and how their addresses are read; a limit of 0 is off. */
const readLimits = (env: CleanSettings) => ({
  /** Unpaid and refused requests per minute and address. */
  perMinute: env.RATE_LIMIT_UNPAID,
  trustedProxies: env.TRUST_PROXY,
  /** Connections open at once. */
  mostConnections: env.MAX_CONNECTIONS,
  /** Of one client address; behind a proxy all come from one. */
  mostPerAddress: env.TRUST_PROXY > 0 ? 0 : shareOf(env.MAX_CONNECTIONS),
})

/** Of `SECRET_KEY`, `CARD_KEY` and `RECEIPT_KEY` the first start generates what is null and what no signer holds. */
const readKeys = (env: CleanSettings) => ({
  secretKey: env.SECRET_KEY?.[0] ?? null,
  secretKeyPrevious: env.SECRET_KEY?.[1] ?? null,
  /** PEM or JWK. With a database neither is generated: replicas must publish the same keys. */
  cardKeyText: env.CARD_KEY ?? null,
  receiptKeyText: env.RECEIPT_KEY ?? null,
  /** Keys that signed before and are still published; PEM or JWK, private or public, one after another. */
  formerKeys: env.FORMER_KEYS ?? null,
})

/** One client of a small machine needs no more. */
const LEAST_SHARE = 16
const shareOf = (connections: number): number =>
  connections === 0 ? 0 : Math.max(LEAST_SHARE, Math.floor(connections / 20))

export type CommonConfig = ReturnType<typeof readCommon>

export const readCommon = (env: CleanSettings) => ({
  port: env.PORT ?? 4021,
  logLevel: env.LOG_LEVEL,
  app: readApp(env),
})
