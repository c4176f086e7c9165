/** Every page on a phone: six screens at most, and nothing on it that cannot be found. */
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { watchedPage } from './browser.ts'
import { EVIDENCE, PAGES, widthOf } from './pages.ts'
import { sandboxStage } from './sandbox-stage.ts'

const PHONE = { width: 375, height: 812 }
const MOST_SCREENS = 6

const sandbox = sandboxStage()
let page: Page
beforeAll(async () => {
  page = (await watchedPage(sandbox.browser, { viewport: PHONE })).page
})

const screens = async () =>
  Number(await page.evaluate('document.documentElement.scrollHeight')) / PHONE.height

test.each([
  ...PAGES,
  ...EVIDENCE,
  '/no-such-page',
])('%s takes six screens at most, and no table of it is cut off', async (path) => {
  await page.goto(`${sandbox.url}${path}`, { waitUntil: 'networkidle' })
  expect.soft(await screens()).toBeLessThanOrEqual(MOST_SCREENS)
  await page.evaluate(`for (const each of document.querySelectorAll('.fold')) each.open = true`)
  const cut = `[...document.querySelectorAll('.table')].filter((each) => each.scrollWidth > each.clientWidth).length`
  expect.soft(await page.evaluate(cut)).toBe(0)
  expect.soft(await widthOf(page)).toBe(PHONE.width)
})

test('a folded section opens by its heading, and by the address of what is in it', async () => {
  await page.goto(`${sandbox.url}/checks/iban`)
  const meaning = page.getByText('the two letters are not a country code in the registry')
  expect(await meaning.isVisible()).toBe(false)
  await page.getByRole('heading', { name: 'Codes' }).click()
  expect(await meaning.isVisible()).toBe(true)

  await page.goto(`${sandbox.url}/errors#payment_expired`)
  const title = page.getByRole('heading', { name: 'payment_expired' })
  const place = async () => (await title.boundingBox())?.y ?? PHONE.height
  await expect.poll(place).toBeLessThan(PHONE.height / 2)
  expect(await place()).toBeGreaterThanOrEqual(0)
  expect(await page.getByRole('heading', { name: 'value_missing' }).isVisible()).toBe(false)

  await page.evaluate(`location.hash = 'value_missing'`)
  await page.getByRole('heading', { name: 'value_missing' }).waitFor()
})

test('on paper every section is there', async () => {
  await page.goto(`${sandbox.url}/checks/iban`)
  await page.emulateMedia({ media: 'print' })
  expect(await page.getByText('the two letters are not a country code in the registry').isVisible()).toBe(
    true,
  )
  await page.emulateMedia({ media: 'screen' })
})
