import type { AppSettings } from '../app/options.ts'
import type { Config } from '../config.ts'

/** The settings with the same meaning in both modes. */
export function appSettings(config: Config): AppSettings {
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
    packageName: config.packageName,
    wellKnownDir: config.wellKnownDir,
    ownPayers: config.ownPayers,
  }
}
