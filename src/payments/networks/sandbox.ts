import { BASE } from './base.ts'
import type { Network } from './network.ts'

/**
 * Has the chain id and the token of Base, so that clients need no other setting. A signature for one is valid on the
 * other, so the sandbox signs with its own keys alone, and no process holds both networks.
 */
export const SANDBOX: Network = {
  ...BASE,
  name: 'sandbox',
  title: 'Base (simulated)',
  isRealMoney: false,
}
