import { describe, expect, test } from 'vitest'
import { axeFindings } from './axe-findings.ts'
import { watchedPage } from './browser.ts'
import { PAGES } from './pages.ts'
import { buy, panelOf } from './panel.ts'
import { sandboxStage } from './sandbox-stage.ts'

const IBAN = 'GB82 WEST 1234 5698 7654 32'

/** axe over all pages and every step of the panel, in one colour scheme; a file for each, so that two run at a time. */
export function describeAccessibility(colorScheme: 'light' | 'dark'): void {
  const sandbox = sandboxStage()

  describe(`in ${colorScheme}`, () => {
    test.each(PAGES)('axe finds nothing on %s', async (path) => {
      const { page } = await watchedPage(sandbox.browser, { colorScheme })
      await page.goto(`${sandbox.url}${path}`)
      for (const each of await page.locator('summary').all()) if (await each.isVisible()) await each.click()
      expect(await axeFindings(page)).toEqual([])
      await page.context().close()
    })

    test('axe finds nothing in the panel, at any step', async () => {
      const { page } = await watchedPage(sandbox.browser, { colorScheme })
      await page.goto(sandbox.url)
      const panel = panelOf(page)
      await panel.ask('iban', IBAN)
      await panel.terms.waitFor()
      expect(await axeFindings(page)).toEqual([])
      await panel.pay.click()
      await panel.wallet.waitFor()
      expect(await axeFindings(page)).toEqual([])
      await panel.wallet.getByRole('button', { name: 'Sign' }).click()
      await panel.valid.waitFor()
      expect(await axeFindings(page)).toEqual([])
      await buy(panel, 'eu-vat', 'DE136695977')
      expect(await axeFindings(page)).toEqual([])
      await buy(panel, 'iban', 'DE89 37O4 0044 0532 0130 00')
      expect(await axeFindings(page)).toEqual([])
      await panel.ask('iban', 'x'.repeat(513))
      await panel.panel.getByRole('heading', { name: 'Value too long' }).waitFor()
      expect(await axeFindings(page)).toEqual([])
      await page.context().close()
    })
  })
}
