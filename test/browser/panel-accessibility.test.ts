import { expect, test } from 'vitest'
import { axeFindings } from './axe-findings.ts'
import { watchedPage } from './browser.ts'
import { buy, panelOf } from './panel.ts'
import { sandboxStage } from './sandbox-stage.ts'

const IBAN = 'GB82 WEST 1234 5698 7654 32'

const sandbox = sandboxStage()

test.each([
  'light',
  'dark',
] as const)('axe finds nothing in the panel at any step, in %s', async (colorScheme) => {
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
