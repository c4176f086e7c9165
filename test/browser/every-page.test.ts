/** Every page that people read, loaded once: on the narrowest phone, on paper, with large text, and by axe in both schemes. */
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { axeFindings, OF_COLOURS } from './axe-findings.ts'
import { watchedPage } from './browser.ts'
import { CUT_OFF, PAGES, SHEET, widthOf } from './pages.ts'
import { sandboxStage } from './sandbox-stage.ts'

const PHONE = { width: 320, height: 640 }
const TABLET = { width: 768, height: 860 }
const DESKTOP = { width: 1280, height: 720 }

/** The policy of the pages permits no style element, but a constructed sheet. */
const TEXT_BUT_CODE = `(() => {
  const without = new CSSStyleSheet()
  without.replaceSync('pre, code { display: none !important }')
  document.adoptedStyleSheets.push(without)
  const text = document.body.innerText
  document.adoptedStyleSheets.pop()
  return text
})()`

const sandbox = sandboxStage()
let page: Page

// One page goes from address to address: a new one is a process of its own, which loads styles and scripts again.
beforeAll(async () => {
  page = (await watchedPage(sandbox.browser)).page
})

test.each(PAGES)('%s fits a phone and a sheet, with large text too, and axe finds nothing', async (path) => {
  await page.setViewportSize(PHONE)
  await page.emulateMedia({ media: 'screen', colorScheme: 'light' })
  await page.goto(`${sandbox.url}${path}`)
  await page.getByRole('status').getByText('Up: paid calls work').waitFor()
  expect.soft(await widthOf(page), 'on a phone').toBe(PHONE.width)

  await page.evaluate(`document.documentElement.style.fontSize = '200%'`)
  for (const viewport of [TABLET, PHONE]) {
    await page.setViewportSize(viewport)
    expect.soft(await widthOf(page), 'with text of twice the size').toBe(viewport.width)
  }
  await page.evaluate(`document.documentElement.style.fontSize = ''`)

  expect
    .soft(
      String(await page.evaluate(TEXT_BUT_CODE)).match(
        /<\/?(?:a|b|br|code|details|div|em|img|li|p|pre|span|strong|summary|table|td|tr|ul)\b[^>]{0,40}>|\*\*|\]\(|!\[/g,
      ) ?? [],
      'raw markup',
    )
    .toEqual([])

  await page.setViewportSize(SHEET)
  await page.emulateMedia({ media: 'print' })
  expect.soft(await page.evaluate(CUT_OFF), 'cut off on paper').toEqual([])
  expect.soft(await widthOf(page), 'on paper').toBe(SHEET.width)
  await page.emulateMedia({ media: 'screen' })

  await page.setViewportSize(DESKTOP)
  for (const each of await page.locator('summary').all()) if (await each.isVisible()) await each.click()
  expect.soft(await axeFindings(page), 'axe in light').toEqual([])
  await page.emulateMedia({ colorScheme: 'dark' })
  expect.soft(await axeFindings(page, OF_COLOURS), 'axe in dark').toEqual([])
})
