import { BASE } from './base.ts'
import type { Network } from './network.ts'

/**
 * The sandbox's chain has the chain id and the token of Base, so that clients need no other setting. No process holds
 * both, and a signature for one is valid on the other: the sandbox signs with keys of its own alone.
 */
export const SANDBOX: Network = {
  ...BASE,
  name: 'sandbox',
  title: 'Base (simulated)',
  isRealMoney: false,
}
