import type { Browser } from 'playwright-core'
import type { privateKeyToAccount } from 'viem/accounts'
import { watchedPage } from './browser.ts'
import { signerOf, type WalletScript } from './live-service.ts'
import { panelOf } from './panel.ts'

/** Base, as wallets name it. */
export const BASE = '0x2105'

/** A page that finds a wallet: announced (EIP-6963) or under `window.ethereum`. */
export async function walletPage(
  browser: Browser,
  url: string,
  script: WalletScript | null,
  place: 'announced' | 'window' = 'announced',
) {
  const watched = await watchedPage(browser)
  const calls: string[] = []
  const { page } = watched
  if (script !== null) {
    await page.exposeFunction('walletAnswer', async (method: string, params: readonly unknown[]) => {
      calls.push(method)
      try {
        return { result: await script(method, params) }
      } catch (refusal) {
        return { error: refusal }
      }
    })
    await page.addInitScript(place === 'window' ? IN_WINDOW : ANNOUNCED)
  }
  await page.goto(url)
  return { ...watched, calls, panel: panelOf(page) }
}

const PROVIDER = `({ async request({ method, params = [] }) {
  const { result, error } = await walletAnswer(method, params)
  if (error) throw error
  return result
} })`
const IN_WINDOW = `window.ethereum = ${PROVIDER}`
const ANNOUNCED = `
  const provider = ${PROVIDER}
  window.ethereum = { request() { throw new Error('not asked for') } }
  addEventListener('eip6963:requestProvider', () => dispatchEvent(new CustomEvent('eip6963:announceProvider', {
    detail: { info: { uuid: 'u', name: 'Test wallet', icon: '', rdns: 'test' }, provider } })))`

/** A wallet that does what a page asks, but for the answers given. */
export function walletOf(
  account: ReturnType<typeof privateKeyToAccount>,
  answers: Readonly<Record<string, WalletScript>>,
): WalletScript {
  const sign = signerOf(account)
  return (method, params) => {
    const special = answers[method]
    if (special !== undefined) return special(method, params)
    if (method === 'eth_requestAccounts') return [account.address]
    if (method === 'eth_chainId') return BASE
    if (method === 'eth_signTypedData_v4') return sign(params[1])
    throw { code: 4200 }
  }
}

/** Refuses with a code, as wallets do. */
export const refuse =
  (code: number): WalletScript =>
  () => {
    throw { code }
  }
