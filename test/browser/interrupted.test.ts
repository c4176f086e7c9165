/** A payment whose answer does not come at once: the same request again, no new signature, no second charge. */
import type { Browser, Route } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { freePort } from '../support/ports.ts'
import {
  type ScratchDir,
  type ServiceProcess,
  scratchDir,
  started,
  startProcess,
} from '../support/service-process.ts'
import { lookAtChain } from '../support/usdc-chain.ts'
import { openBrowser, watchedPage } from './browser.ts'
import { panelOf } from './panel.ts'

/** Not the one that a start sells to itself: after a kill that could be answered from the payment of this test. */
const VALUE = 'DE89 3704 0044 0532 0130 00'

let browser: Browser
let scratch: ScratchDir
const processes: ServiceProcess[] = []

beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser.close())
beforeEach(() => {
  scratch = scratchDir()
})
afterEach(async () => {
  for (const { child, ended } of processes.splice(0)) {
    child.kill('SIGTERM')
    await ended
  }
  scratch.remove()
})

function start(port: number) {
  const service = startProcess(scratch.path, { PORT: String(port), DATA_DIR: `${scratch.path}/data` })
  processes.push(service)
  return service
}

/** Holds the first paid request back for the test; every later one goes on. Counts what was signed and sent. */
async function interruptFirst(port: number, interrupt: (route: Route) => Promise<void>) {
  const watched = await watchedPage(browser)
  const payments: string[] = []
  const wallet: string[] = []
  await watched.page.route('**/api/validate/**', async (route) => {
    const payment = route.request().headers()['payment-signature']
    if (payment !== undefined && payments.push(payment) === 1) return interrupt(route)
    return route.continue()
  })
  watched.page.on('request', (request) => {
    if (request.url().endsWith('/sandbox/wallet')) wallet.push(JSON.parse(request.postData() ?? '{}').method)
  })
  await watched.page.goto(`http://127.0.0.1:${port}`)
  const panel = panelOf(watched.page)
  const pay = async () => {
    await panel.ask('iban', VALUE)
    await panel.pay.click()
    await panel.wallet.getByRole('button', { name: 'Sign' }).click()
  }
  return { ...watched, panel, pay, payments, wallet }
}

test('a service that dies after it was paid answers after its restart, and charges once', async () => {
  const port = await freePort()
  const first = start(port)
  const { facts } = await started(first)
  let cut = false
  const { panel, pay, payments, wallet } = await interruptFirst(port, async (route) => {
    expect((await route.fetch()).status()).toBe(200)
    first.child.kill('SIGKILL')
    await first.ended
    cut = true
    await route.abort('connectionreset')
  })
  await pay()
  await expect.poll(() => cut).toBe(true)
  await expect
    .poll(() => panel.progress.innerText())
    .toContain('The connection was lost before the answer came.')
  expect(await panel.panel.getByLabel('Value').isEditable()).toBe(true)
  expect(await panel.panel.locator('form').getAttribute('inert')).toBe('')

  const again = await started(start(port))
  const repeat = panel.panel.getByRole('button', { name: 'Repeat the request' })
  await panel.receipt.or(repeat).waitFor()
  if (await repeat.isVisible()) await repeat.click()
  await panel.valid.waitFor()
  expect(await panel.receipt.innerText()).toContain('nothing was charged a second time')
  expect(new Set(payments).size).toBe(1)
  expect(wallet.filter((method) => method === 'eth_signTypedData_v4')).toHaveLength(1)

  // What each start sells to itself, and this one.
  const chain = lookAtChain(again.facts.rpcUrl ?? '')
  expect(await chain.balance(facts.payTo)).toBe(3000n)
})

test('an answer in doubt is asked for again by itself, with the same payment', async () => {
  const port = await freePort()
  const { facts } = await started(start(port))
  const { panel, pay, payments, wallet } = await interruptFirst(port, (route) =>
    route.fulfill({
      status: 503,
      headers: { 'Retry-After': '1' },
      contentType: 'application/problem+json',
      body: JSON.stringify({
        code: 'payment_in_doubt',
        title: 'Payment in doubt',
        detail: 'It is not yet known whether the payment was settled.',
      }),
    }),
  )
  await pay()
  await panel.valid.waitFor()
  expect(payments).toHaveLength(2)
  expect(new Set(payments).size).toBe(1)
  expect(wallet.filter((method) => method === 'eth_signTypedData_v4')).toHaveLength(1)
  expect(await lookAtChain(facts.rpcUrl ?? '').balance(facts.payTo)).toBe(2000n)
})

test('a refused payment is explained in words, with its code', async () => {
  const port = await freePort()
  const { facts } = await started(start(port))
  const { panel, pay } = await interruptFirst(port, async (route) => {
    const headers = route.request().headers()
    const payload = JSON.parse(Buffer.from(headers['payment-signature'] ?? '', 'base64').toString())
    payload.payload.signature = `0x${'11'.repeat(64)}1b`
    const payment = Buffer.from(JSON.stringify(payload)).toString('base64')
    await route.continue({ headers: { ...headers, 'payment-signature': payment } })
  })
  await pay()
  await panel.panel.getByRole('heading', { name: 'Invalid signature' }).waitFor()
  expect(await panel.panel.innerText()).toContain('Nothing was charged.')
  const code = panel.panel.getByRole('link', { name: 'payment_invalid_signature' })
  expect(await code.getAttribute('href')).toBe('/errors#payment_invalid_signature')
  expect(await lookAtChain(facts.rpcUrl ?? '').balance(facts.payTo)).toBe(1000n)
})

test.each([
  [
    'by the service, which does not know what became of the payment',
    402,
    { code: 'payment_refused', title: 'Payment refused', detail: 'Refused.', charged: 'unknown' },
    'Payment refused',
  ],
  ['by something in front of the service', 403, 'Forbidden', 'Status 403'],
])('a payment that is refused %s can still be looked up', async (_by, status, body, title) => {
  const port = await freePort()
  await started(start(port))
  const { panel, pay, payments } = await interruptFirst(port, (route) =>
    route.fulfill({ status, contentType: 'application/json', body: JSON.stringify(body) }),
  )
  await pay()
  await panel.panel.getByRole('heading', { name: title }).waitFor()
  const link = panel.panel.getByRole('region', { name: 'Payments in doubt' }).getByRole('link')
  expect(await link.getAttribute('href')).toMatch(/^\/payments\/0x[0-9a-fA-F]{40}\/0x[0-9a-f]{64}$/)
  expect(payments).toHaveLength(1)
})
