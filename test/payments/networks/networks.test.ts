import { BATCH_SETTLEMENT_ADDRESS, ERC3009_DEPOSIT_COLLECTOR_ADDRESS, getDefaultAsset } from '@x402/evm'
import { isAddress } from 'viem'
import * as chains from 'viem/chains'
import { describe, expect, test } from 'vitest'
import { DATA_FEE_ORACLE } from '../../../src/payments/facilitators/self/gas/data-fee.ts'
import { BASE } from '../../../src/payments/networks/base.ts'
import { BASE_SEPOLIA } from '../../../src/payments/networks/base-sepolia.ts'
import {
  DEFAULT_NETWORK,
  NETWORKS,
  networkNamed,
  networkOf,
  refuseMixed,
  titleOf,
} from '../../../src/payments/networks/networks.ts'
import { SANDBOX } from '../../../src/payments/networks/sandbox.ts'
import { dollars, formatUsd } from '../../../src/payments/networks/usdc.ts'
import { MULTICALL3 } from '../../support/multicall3.ts'

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

describe('the name of a network', () => {
  test.each([
    ['base', BASE],
    ['base-sepolia', BASE_SEPOLIA],
  ])('%s is known', (name, network) => {
    expect(networkNamed(name)).toBe(network)
  })

  // Proposed if less than half of it is wrong, by its name, its title or its id.
  test.each([
    ['xase', 'base'],
    ['xyse', null],
    ['xybase', 'base'],
    ['xyzbase', 'base'],
    ['wxyzbase', null],
    ['BASE', 'base'],
    ['Base Sepolia', 'base-sepolia'],
    ['base sepolya', 'base-sepolia'],
    ['EIP155:84532', 'base-sepolia'],
    ['eip155:8453', 'base'],
    ['ethereum', null],
    ['', null],
  ])('%j is not, and %s is proposed', (input, proposal) => {
    const said = 'must be one of base, base-sepolia'
    expect(networkNamed(input)).toBe(proposal === null ? said : `${said}; did you mean ${proposal}?`)
  })

  test('is found by its id, with a word about test money; another id is a defect', () => {
    expect([networkOf(BASE.id), networkOf(BASE_SEPOLIA.id)]).toEqual([BASE, BASE_SEPOLIA])
    expect([titleOf(BASE.id), titleOf(BASE_SEPOLIA.id)]).toEqual(['Base', 'Base Sepolia (test money)'])
    expect(() => networkOf('eip155:1')).toThrow('not in the table')
  })
})

test.each([
  [0n, '0.00'],
  [1n, '0.000001'],
  [10n, '0.00001'],
  [1_000n, '0.001'],
  [10_000n, '0.01'],
  [100_000n, '0.10'],
  [1_000_000n, '1.00'],
  [1_010_203n, '1.010203'],
  [1_234_567_890_000n, '1,234,567.89'],
])('%d atomic units are %s dollars', (amount, text) => {
  expect([dollars(amount), formatUsd(amount)]).toEqual([text, `$${text}`])
})
