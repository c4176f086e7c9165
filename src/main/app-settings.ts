import type { AppOptions } from '../app/options.ts'
import type { Config } from '../config.ts'

/** The settings that an app reads the same way in both modes. */
export function appSettings(config: Config) {
  return {
    secretKey: config.secretKey,
    secretKeyPrevious: config.secretKeyPrevious,
    cardKeyPrevious: config.cardKeyPrevious,
    receiptKeyPrevious: config.receiptKeyPrevious,
    verifyAlways: config.facilitatorVerify === 'always',
    proofOnChain: config.settlementProof === 'chain',
    rateLimitUnpaid: config.rateLimitUnpaid,
    trustProxy: config.trustProxy,
    contactEmail: config.contactEmail,
    supportUrl: config.supportUrl,
    termsUrl: config.termsUrl,
    wellKnownDir: config.wellKnownDir,
    ownPayers: config.ownPayers,
  } satisfies Partial<AppOptions>
}
