import { BASE } from './base.ts'
import type { Network } from './network.ts'

/** Circle's faucet gives away its USDC. */
export const BASE_SEPOLIA: Network = {
  ...BASE,
  name: 'base-sepolia',
  title: 'Base Sepolia',
  id: 'eip155:84532',
  v1Name: 'base-sepolia',
  chainId: 84532,
  isRealMoney: false,
  token: {
    address: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
    decimals: 6,
    domain: { name: 'USDC', version: '2' },
  },
  explorer: 'https://sepolia.basescan.org',
  publicNode: 'https://sepolia.base.org',
}
