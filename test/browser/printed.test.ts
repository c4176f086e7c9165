/** Pages on paper: what scrolls on a screen is there as a whole. */
import { expect, test } from 'vitest'
import { validIban } from '../support/identifiers.ts'
import { watchedPage } from './browser.ts'
import { listPageOf } from './list-page.ts'
import { PAGES } from './pages.ts'
import { sandboxStage } from './sandbox-stage.ts'

/** The width of an A4 sheet between its margins, in CSS pixels. */
const SHEET = { width: 718, height: 1047 }

const sandbox = sandboxStage()

/** The boxes of a printed page that hide a part of what they hold. */
const CUT_OFF = `[...document.querySelectorAll('main *')]
  .filter((each) => each.checkVisibility() && getComputedStyle(each).overflowX !== 'visible')
  .filter((each) => !each.matches('.quiet, input, select, textarea'))
  .filter((each) => each.scrollWidth > each.clientWidth || each.scrollHeight > each.clientHeight)
  .map((each) => each.className + ': ' + each.textContent.slice(0, 40))`

test('a checked list has all its rows and columns', async () => {
  const { page } = await watchedPage(sandbox.browser, { viewport: SHEET })
  await page.goto(`${sandbox.url}/lists`)
  const list = listPageOf(page)
  await list.values.fill(Array.from({ length: 60 }, (_, at) => validIban('DE', at + 1)).join('\n'))
  await list.buy('$0.06')
  await expect.poll(() => list.rows.count()).toBe(60)
  await page.emulateMedia({ media: 'print' })
  expect(await page.evaluate(CUT_OFF)).toEqual([])
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(SHEET.width)
  await page.context().close()
})

test.each(PAGES)('%s has all of its code and tables', async (path) => {
  const { page } = await watchedPage(sandbox.browser, { viewport: SHEET })
  await page.goto(`${sandbox.url}${path}`)
  await page.emulateMedia({ media: 'print' })
  expect(await page.evaluate(CUT_OFF)).toEqual([])
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(SHEET.width)
  await page.context().close()
})
