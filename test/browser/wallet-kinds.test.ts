/** What wallets do within their standards, and apart from one another. */
import { expect, test } from 'vitest'
import { lookAtChain } from '../support/usdc-chain.ts'
import { signerOf, type WalletScript } from './live-service.ts'
import { liveStage } from './live-stage.ts'
import { BASE, refuse, walletOf, walletPage } from './wallet-page.ts'

const stage = liveStage()

/** Buys one check with the buyer's wallet, which gives these answers of its own; returns what it was asked. */
async function buysWith(answers: Readonly<Record<string, WalletScript>>): Promise<readonly string[]> {
  const chain = lookAtChain(stage.live.sandbox.rpcUrl ?? '')
  const before = await chain.balance(stage.live.sandbox.payTo)
  const { page, panel, calls } = await walletPage(
    stage.browser,
    stage.live.url,
    walletOf(stage.live.buyer, answers),
  )
  await panel.ask('iban', 'GB82 WEST 1234 5698 7654 32')
  await panel.pay.click()
  await panel.valid.waitFor()
  expect((await chain.balance(stage.live.sandbox.payTo)) - before).toBe(1000n)
  await page.context().close()
  return calls
}

test('a wallet that counts v from 0, as hardware wallets do, pays like any other', async () => {
  const sign = signerOf(stage.live.buyer)
  await buysWith({
    eth_signTypedData_v4: async (_, [, typedData]) => {
      const signature = await sign(typedData)
      return `${signature.slice(0, -2)}${signature.endsWith('1b') ? '00' : '01'}`
    },
  })
})

test('a wallet that answers before it has switched is waited for', async () => {
  let switched = Number.POSITIVE_INFINITY
  const calls = await buysWith({
    eth_chainId: () => (Date.now() > switched + 300 ? BASE : '0x1'),
    wallet_switchEthereumChain: () => {
      switched = Date.now()
      return null
    },
  })
  expect(calls.filter((call) => call === 'wallet_switchEthereumChain')).toHaveLength(1)
})

test('a wallet that adds Base without switching to it is asked to switch as well', async () => {
  let chain = '0x1'
  let known = false
  const calls = await buysWith({
    eth_chainId: () => chain,
    wallet_switchEthereumChain: (method, params) => {
      if (!known) return refuse(4902)(method, params)
      chain = BASE
      return null
    },
    wallet_addEthereumChain: () => {
      known = true
      return null
    },
  })
  expect(calls.filter((call) => call.startsWith('wallet_'))).toEqual([
    'wallet_switchEthereumChain',
    'wallet_addEthereumChain',
    'wallet_switchEthereumChain',
  ])
})
