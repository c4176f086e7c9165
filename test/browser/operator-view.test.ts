/** How the operator's view is to look at, and that its money is the books' and the chain's. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { channelClient } from '../support/channel-client.ts'
import { CLI, run } from '../support/command.ts'
import { startTestService, type TestService } from '../support/sandbox-service.ts'
import { axeFindings } from './axe-findings.ts'
import { foreign, openBrowser, watchedPage } from './browser.ts'

const WIDTHS = { phone: 375, tablet: 768, desktop: 1440 } as const
const VALUES = {
  iban: 'GB82WEST12345698765432',
  email: 'someone@example.org',
  'pl-nip': '5260250274',
} as const

let service: TestService
let browser: Browser
let received: bigint

beforeAll(async () => {
  ;[service, browser] = await Promise.all([startTestService({ CHANNELS: 'on' }), openBrowser()])
  const before = await service.balance(service.sandbox.payTo)
  for (const [type, value] of Object.entries(VALUES)) {
    const response = await service.check(type, value, { 'PAYMENT-SIGNATURE': await service.pay() })
    expect(response.status).toBe(200)
  }
  await service.check('iban', 'x', { 'PAYMENT-SIGNATURE': 'e30=' })
  const { rpcUrl } = service.sandbox
  if (rpcUrl === null) throw new Error('no node')
  const { check } = channelClient({ account: await service.newBuyer(1_000_000n), rpcUrl })
  expect((await check(service.url, VALUES.iban)).status).toBe(200)
  received = (await service.balance(service.sandbox.payTo)) - before
})
afterAll(async () => {
  await browser.close()
  await service.stop()
})

test('its total equals the books of the command line and the transfers on the chain', async () => {
  const { page } = await watchedPage(browser)
  await page.goto(service.adminUrl)
  const tile = page
    .locator('section, div, li, article')
    .filter({ has: page.getByRole('heading', { name: 'All time' }) })
  expect(await tile.last().innerText()).toContain('$0.003')
  const stats = run([CLI, 'stats', '--json'], { env: { DATA_DIR: service.dataDir } })
  expect((await stats.ended).code).toBe(0)
  const books = JSON.parse(stats.stdout.join('\n')) as { total: { sales: number; amount_atomic: string } }
  expect(books.total).toMatchObject({ sales: 3, amount_atomic: received.toString() })
  expect(received).toBe(3_000n)
  await page.context().close()
})

test('the file for the accountant has a line for each sale, in dollars', async () => {
  const csv = await (await fetch(new URL('/sales.csv?days=1', service.adminUrl))).text()
  const [header, ...lines] = csv.trimEnd().split('\r\n')
  expect(header).toMatch(/^date,time_utc,usd,/)
  expect(lines.map((line) => line.split(',')[2])).toEqual(['0.001000', '0.001000', '0.001000'])
})

test('a range is chosen by a link and selects', async () => {
  const { page } = await watchedPage(browser)
  await page.goto(service.adminUrl)
  await page.getByRole('navigation', { name: 'Range' }).getByRole('link', { name: '7 days' }).click()
  expect(page.url()).toContain('days=7')
  expect(await page.getByRole('heading', { name: 'Trends, 7 days' }).count()).toBe(1)
  await page.context().close()
})

describe.each(['light', 'dark'] as const)('in %s', (colorScheme) => {
  test.each(Object.entries(WIDTHS))('axe finds nothing at the width of a %s', async (_device, width) => {
    const watched = await watchedPage(browser, { colorScheme, viewport: { width, height: 860 } })
    const { page, complaints } = watched
    await page.goto(service.adminUrl)
    for (const each of await page.locator('summary').all()) await each.click()
    expect(await axeFindings(page)).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
    expect(foreign(watched, new URL(service.adminUrl).origin)).toEqual([])
    expect(complaints).toEqual([])
    await page.context().close()
  })
})
