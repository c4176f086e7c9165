/** The visitor's own wallet, in live mode. */

import type { Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { lookAtChain } from '../support/usdc-chain.ts'
import { foreign } from './browser.ts'
import type { WalletScript } from './live-service.ts'
import { liveStage } from './live-stage.ts'
import { BASE, refuse, walletOf, walletPage } from './wallet-page.ts'

const stage = liveStage()

const pageWith = (script: WalletScript | null, place?: 'announced' | 'window') =>
  walletPage(stage.browser, stage.live.url, script, place)

/** The buyer's wallet, but for the answers given. */
const wallet = (
  answers: Readonly<Record<string, WalletScript>> = {},
  account = stage.live.buyer,
): WalletScript => walletOf(account, answers)

const IBAN = 'GB82 WEST 1234 5698 7654 32'

test.each(['announced', 'window'] as const)('a wallet that is %s pays for a check', async (place) => {
  const { panel, calls, complaints, ...watched } = await pageWith(wallet(), place)
  expect(await watched.page.title()).not.toContain('SANDBOX')
  await panel.ask('iban', IBAN)
  await panel.pay.click()
  await panel.valid.waitFor()
  expect(calls).toEqual(['eth_requestAccounts', 'eth_chainId', 'eth_signTypedData_v4'])
  const transaction = (await panel.transaction()) as Hex
  expect(await lookAtChain(stage.live.sandbox.rpcUrl ?? '').transfers(transaction)).toEqual([
    { from: stage.live.buyer.address, to: stage.live.sandbox.payTo, value: 1000n },
  ])
  const link = panel.receipt.getByRole('link', { name: transaction })
  expect(await link.getAttribute('href')).toBe(`https://basescan.org/tx/${transaction}`)
  expect(complaints).toEqual([])
  expect(foreign({ ...watched, complaints }, stage.live.url)).toEqual([])
})

test('a wallet on another network is asked to switch to Base', async () => {
  let chain = '0x1'
  const { panel, calls } = await pageWith(
    wallet({
      eth_chainId: () => chain,
      wallet_switchEthereumChain: (_, [params]) => {
        chain = (params as { chainId: string }).chainId
        return null
      },
    }),
  )
  await panel.ask('iban', IBAN)
  await panel.pay.click()
  await panel.valid.waitFor()
  expect(chain).toBe(BASE)
  expect(calls).toContain('wallet_switchEthereumChain')
})

test('a wallet that does not know Base gets its details', async () => {
  let chain = '0x1'
  const { panel, calls } = await pageWith(
    wallet({
      eth_chainId: () => chain,
      wallet_switchEthereumChain: refuse(4902),
      wallet_addEthereumChain: (_, [params]) => {
        expect(params).toMatchObject({ chainId: BASE, chainName: 'Base', nativeCurrency: { symbol: 'ETH' } })
        chain = BASE
        return null
      },
    }),
  )
  await panel.ask('iban', IBAN)
  await panel.pay.click()
  await panel.valid.waitFor()
  expect(calls).toContain('wallet_addEthereumChain')
})

test.each<[string, Record<string, WalletScript>, string]>([
  [
    'declines to connect',
    { eth_requestAccounts: refuse(4001) },
    'You declined to connect to this page in the wallet.',
  ],
  [
    'declines to sign',
    { eth_signTypedData_v4: refuse(4001) },
    'You declined to sign the payment in the wallet.',
  ],
  [
    'declines with an error of its own around the code',
    {
      eth_signTypedData_v4: () => {
        throw { code: -32603, data: { originalError: { code: 4001 } } }
      },
    },
    'You declined to sign the payment in the wallet.',
  ],
  [
    'declines with the code as a string',
    {
      eth_signTypedData_v4: () => {
        throw { code: '4001' }
      },
    },
    'You declined to sign the payment in the wallet.',
  ],
  ['declines over WalletConnect', { eth_requestAccounts: refuse(5000) }, 'You declined to connect'],
  ['is busy', { eth_requestAccounts: refuse(-32002) }, 'open it, then try again'],
  ['does not permit', { eth_signTypedData_v4: refuse(4100) }, 'does not let this page use the account'],
  ['cannot sign', { eth_signTypedData_v4: refuse(4200) }, 'The wallet cannot sign the payment.'],
  [
    'breaks',
    { eth_signTypedData_v4: refuse(-32603) },
    'The wallet failed to sign the payment (code -32603).',
  ],
  ['has no account', { eth_requestAccounts: () => [] }, 'The wallet gave no account.'],
  [
    'declines to switch',
    { eth_chainId: () => '0x1', wallet_switchEthereumChain: refuse(4001) },
    'You declined to switch to Base in the wallet.',
  ],
  [
    'says it has switched and has not',
    { eth_chainId: () => '0x1', wallet_switchEthereumChain: () => null },
    'The wallet is still on another network.',
  ],
])('a wallet that %s pays nothing, and the panel says so', async (_what, answers, words) => {
  const chain = lookAtChain(stage.live.sandbox.rpcUrl ?? '')
  const before = await chain.balance(stage.live.sandbox.payTo)
  const { panel, requests } = await pageWith(wallet(answers))
  await panel.ask('iban', IBAN)
  await panel.pay.click()
  await expect.poll(() => panel.progress.innerText()).toContain(words)
  expect(await panel.pay.isEnabled()).toBe(true)
  // One question for the terms, and nothing after it.
  expect(requests.filter((each) => each.includes('/api/validate/'))).toHaveLength(1)
  expect(await chain.balance(stage.live.sandbox.payTo)).toBe(before)
})

test('a payer without money reads so', async () => {
  const { panel } = await pageWith(wallet({}, privateKeyToAccount(generatePrivateKey())))
  await panel.ask('iban', IBAN)
  await panel.pay.click()
  await panel.panel.getByRole('heading', { name: 'Insufficient funds' }).waitFor()
  expect(await panel.panel.innerText()).toContain('The payer does not hold the amount. Nothing was charged.')
})

test('terms above the price on the page are not signed', async () => {
  const { page, panel, calls } = await pageWith(wallet())
  await page.route('**/api/validate/**', async (route) => {
    const reply = await route.fetch()
    const required = JSON.parse(Buffer.from(reply.headers()['payment-required'] ?? '', 'base64').toString())
    required.accepts[0].amount = '1000000'
    const header = Buffer.from(JSON.stringify(required)).toString('base64')
    await route.fulfill({ response: reply, headers: { ...reply.headers(), 'payment-required': header } })
  })
  await panel.ask('iban', IBAN)
  await panel.panel.getByRole('heading', { name: 'Price changed' }).waitFor()
  expect(await panel.pay.count()).toBe(0)
  expect(calls).toEqual([])
})

test('without a wallet the panel shows the terms and says what is missing', async () => {
  const { panel } = await pageWith(null)
  await panel.ask('iban', IBAN)
  await panel.terms.waitFor()
  expect(await panel.terms.innerText()).toContain('No wallet was found in this browser')
  expect(await panel.terms.getByRole('link', { name: 'Find one' }).getAttribute('href')).toMatch(/^https:/)
  expect(await panel.terms.getByRole('link', { name: /step by step/ }).getAttribute('href')).toBe(
    '/docs/wallet',
  )
})

test('there is no wallet of the sandbox to ask', async () => {
  const response = await fetch(`${stage.live.url}/sandbox/wallet`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Origin: stage.live.url },
    body: '{"method":"eth_accounts"}',
  })
  expect(response.status).toBe(404)
})
