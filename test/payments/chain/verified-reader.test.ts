import { domainSeparator, type Hex } from 'viem'
import { afterEach, expect, test, vi } from 'vitest'
import { ChainUnavailable } from '../../../src/payments/chain/chain-reader.ts'
import { verifyChain } from '../../../src/payments/chain/verified-reader.ts'
import { BASE } from '../../../src/payments/networks/base.ts'
import { BASE_SEPOLIA } from '../../../src/payments/networks/base-sepolia.ts'
import type { Network } from '../../../src/payments/networks/network.ts'
import { TOKEN } from '../../../src/sandbox/addresses.ts'
import { createMemoryChain } from '../../support/memory-chain/memory-chain.ts'
import { createMemoryChainReader } from '../../support/memory-chain/memory-chain-reader.ts'

const chain = createMemoryChain()
const separator = (network: Network): Hex => {
  const { chainId, token } = network
  const domain = { ...token.domain, chainId, verifyingContract: token.address }
  return domainSeparator({ domain })
}
const real = { ...createMemoryChainReader(chain), domainSeparator: async () => separator(BASE) }
const expected = BASE

afterEach(() => void vi.restoreAllMocks())

test('a node of the right chain is used, and asked once which it is', async () => {
  let asked = 0
  const chainId = async () => {
    asked += 1
    return 8453
  }
  const reader = verifyChain({ ...real, chainId }, expected)
  await Promise.all([reader.head(), reader.head(), reader.balance(TOKEN)])
  expect(asked).toBe(1)
})

test('its blocks are final at the depth of the network, whatever the node says', () => {
  expect(verifyChain(real, expected).finalityDepth).toBe(12n)
})

test.each([
  ['another chain', { chainId: async () => 1 }],
  ['no token', { domainSeparator: async () => '0x' as const }],
  [
    'a token with another name',
    {
      domainSeparator: async () =>
        separator({ ...BASE, token: { ...BASE.token, domain: BASE_SEPOLIA.token.domain } }),
    },
  ],
])('a node of %s answers nothing, whatever it is asked', async (_what, change) => {
  const reader = verifyChain({ ...real, ...change }, expected)
  const questions = [
    reader.head(),
    reader.block(0n),
    reader.hasCode(TOKEN),
    reader.balance(TOKEN),
    reader.authorizationUsed(TOKEN, `0x${'0'.repeat(64)}`),
    reader.transfersTo(TOKEN, 0n, 1n),
    reader.trace({ payer: TOKEN, nonce: `0x${'0'.repeat(64)}`, payTo: TOKEN, amount: 1n }),
  ]
  const faults = await Promise.all(questions.map((question) => question.catch((error: unknown) => error)))
  for (const fault of faults) expect(fault).toMatchObject({ name: 'ChainUnavailable', fault: 'wrong_chain' })
})

test('one that was wrong, or away, is used once it is right', async () => {
  let time = 0
  vi.spyOn(performance, 'now').mockImplementation(() => time)
  const node = { id: 1, up: false }
  const chainId = async () => {
    if (!node.up) throw new ChainUnavailable('down')
    return node.id
  }
  const reader = verifyChain({ ...real, chainId }, expected)
  await expect(reader.head()).rejects.toMatchObject({ fault: 'no_answer' })
  node.up = true
  await expect(reader.head()).rejects.toMatchObject({ fault: 'wrong_chain' })
  node.id = 8453
  time += 10_001
  expect(await reader.head()).toEqual(chain.head())
})

test.each([
  ['ten minutes while it is right', 8453, 600_000],
  ['ten seconds while it is wrong', 1, 10_000],
])('what a node serves is asked again after %s', async (_what, id, ms) => {
  let [time, asked] = [7, 0]
  vi.spyOn(performance, 'now').mockImplementation(() => time)
  const chainId = async () => {
    asked += 1
    return id
  }
  const reader = verifyChain({ ...real, chainId }, expected)
  const counts = []
  for (const wait of [0, ms - 1, 1]) {
    time += wait
    await reader.head().catch(() => {})
    counts.push(asked)
  }
  expect(counts).toEqual([1, 1, 2])
})

test('a node that does not say what it serves is asked again at once', async () => {
  let asked = 0
  const chainId = async () => {
    asked += 1
    throw new ChainUnavailable('down')
  }
  const reader = verifyChain({ ...real, chainId }, expected)
  for (const _ of [1, 2]) await expect(reader.head()).rejects.toMatchObject({ fault: 'no_answer' })
  expect(asked).toBe(2)
})
