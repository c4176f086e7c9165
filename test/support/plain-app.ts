import type { AppOptions } from '../../src/app/options.ts'

/** The settings of an app for which an operator has set nothing; its facilitator is published and not asked. */
export const PLAIN_APP = {
  facilitatorUrl: 'https://facilitator.example',
  secretKey: null,
  secretKeyPrevious: null,
  formerKeys: null,
  proofOnChain: false,
  rateLimitUnpaid: 0,
  trustProxy: 0,
  operatorName: null,
  contactEmail: null,
  supportUrl: null,
  termsUrl: null,
  packageName: null,
  operatorDir: null,
  ownPayers: [],
  sandbox: false,
} as const satisfies Partial<AppOptions>
