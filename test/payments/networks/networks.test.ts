import { BATCH_SETTLEMENT_ADDRESS, ERC3009_DEPOSIT_COLLECTOR_ADDRESS, getDefaultAsset } from '@x402/evm'
import { isAddress } from 'viem'
import * as chains from 'viem/chains'
import { describe, expect, test } from 'vitest'
import { MULTICALL3 } from '../../../src/payments/facilitators/self/aggregate.ts'
import { DATA_FEE_ORACLE } from '../../../src/payments/facilitators/self/data-fee.ts'
import { BASE } from '../../../src/payments/networks/base.ts'
import { BASE_SEPOLIA } from '../../../src/payments/networks/base-sepolia.ts'
import { DEFAULT_NETWORK, NETWORKS, refuseMixed } from '../../../src/payments/networks/networks.ts'
import { SANDBOX } from '../../../src/payments/networks/sandbox.ts'

/** Sources that others keep: the chains of viem and the assets of @x402/evm. */
describe.each([...NETWORKS, SANDBOX])('the entry $name', (network) => {
  const chain = Object.values(chains).find(({ id }) => id === network.chainId)

  test('agrees with what viem knows of the chain', () => {
    expect(network.id).toBe(`eip155:${network.chainId}`)
    expect(chain?.blockExplorers?.default.url).toBe(network.explorer)
    expect(chain?.rpcUrls.default.http).toContain(network.publicNode)
    const { multicall3, gasPriceOracle } = chain?.contracts as Record<string, { address: string }>
    expect(multicall3?.address.toLowerCase()).toBe(MULTICALL3.toLowerCase())
    expect(gasPriceOracle?.address).toBe(DATA_FEE_ORACLE)
  })

  test('agrees with what @x402/evm knows of the token and of channels', () => {
    const { address, decimals, domain } = network.token
    expect(getDefaultAsset(network.id)).toMatchObject({ asset: address, decimals, ...domain })
    expect(network.contracts.channels).toBe(BATCH_SETTLEMENT_ADDRESS)
    expect(network.contracts.depositCollector).toBe(ERC3009_DEPOSIT_COLLECTOR_ADDRESS)
    expect([address, ...Object.values(network.contracts)].every((each) => isAddress(each))).toBe(true)
  })

  test('says whether money is real', () => {
    expect(network.isRealMoney).toBe(network !== SANDBOX && chain?.testnet !== true)
  })
})

describe('the list', () => {
  test('names each network once, under every name that a row or a payment may bear, and no sandbox', () => {
    for (const name of ['name', 'title', 'id', 'v1Name', 'chainId'] as const)
      expect(new Set(NETWORKS.map((network) => network[name])).size).toBe(NETWORKS.length)
    expect(NETWORKS).not.toContain(SANDBOX)
  })

  test('may be shared out among services, but not real money with test money, nor one chain id twice', () => {
    for (const networks of [[BASE], [BASE_SEPOLIA], [SANDBOX, BASE_SEPOLIA]])
      expect(() => refuseMixed(networks)).not.toThrow()
    for (const networks of [NETWORKS, [SANDBOX, BASE]])
      expect(() => refuseMixed(networks)).toThrow(/never mix/)
    expect(() => refuseMixed([BASE, { ...BASE, name: 'again' }])).toThrow(/named twice/)
  })

  test('begins with Base', () => {
    expect(DEFAULT_NETWORK).toMatchObject({ name: 'base', id: 'eip155:8453', isRealMoney: true })
  })
})
