import { readConfig } from '../../src/config.ts'

/** The settings of an app for which an operator has set nothing; its facilitator is published and not asked. */
export const PLAIN_APP = {
  ...readConfig({ RATE_LIMIT_UNPAID: '0' }).app,
  facilitatorUrl: 'https://facilitator.example',
  sandbox: false,
} as const
