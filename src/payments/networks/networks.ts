import { BASE } from './base.ts'
import { BASE_SEPOLIA } from './base-sepolia.ts'
import type { Network } from './network.ts'

/** The networks that live mode offers, the default first; the only list of them. */
export const NETWORKS: readonly [Network, ...Network[]] = [BASE, BASE_SEPOLIA]

/** Where NETWORK is not set. */
export const [DEFAULT_NETWORK] = NETWORKS
