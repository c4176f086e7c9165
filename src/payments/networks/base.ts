import type { Network } from './network.ts'

/** Sources: Circle, "USDC contract addresses"; x402 version 2, scheme batch-settlement on EVM, for the contracts. */
export const BASE: Network = {
  name: 'base',
  title: 'Base',
  id: 'eip155:8453',
  v1Name: 'base',
  chainId: 8453,
  isRealMoney: true,
  token: {
    address: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
    decimals: 6,
    domain: { name: 'USD Coin', version: '2' },
  },
  contracts: {
    channels: '0x4020074e9dF2ce1deE5A9C1b5c3f541D02a10003',
    depositCollector: '0x4020806089470a89826cB9fB1f4059150b550004',
  },
  blockMs: 2_000,
  finalityDepth: 12n,
  explorer: 'https://basescan.org',
  publicNode: 'https://mainnet.base.org',
}
