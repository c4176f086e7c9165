/** The search over the documents, as a person types into it. */
import { expect, test } from 'vitest'
import { watchedPage } from './browser.ts'
import { sandboxStage } from './sandbox-stage.ts'

const sandbox = sandboxStage()

test.each([
  'payment-identifier',
  'x402 batch-settlement',
  'payment_in_doubt',
])('it finds "%s", and marks the words', async (words) => {
  const { page, complaints } = await watchedPage(sandbox.browser)
  await page.goto(`${sandbox.url}/docs`)
  await page.getByLabel('Search').fill(words)
  const results = page.locator('#search-results a')
  await expect.poll(() => results.count()).toBeGreaterThan(0)
  const marked = await results.locator('mark').allInnerTexts()
  expect(marked.map((each) => each.toLowerCase())).toContain(words.split(' ').at(-1))
  expect(complaints).toEqual([])
  await page.context().close()
})

test('what it found covers nothing that the keyboard goes on to', async () => {
  const { page } = await watchedPage(sandbox.browser)
  await page.goto(`${sandbox.url}/docs/how-it-works`)
  await page.getByLabel('Search').fill('payment-identifier')
  const results = page.locator('#search-results a')
  await expect.poll(() => results.count()).toBeGreaterThan(0)
  await results.last().focus()
  await page.keyboard.press('Tab')
  expect(await page.evaluate(`document.activeElement.closest('.search')`)).toBe(null)
  expect(await results.count()).toBe(0)
  await page.context().close()
})
