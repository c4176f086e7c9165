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
