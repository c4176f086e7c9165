import type { CheckType } from 'format-checker-checks/verdict'
import type { Locator, Page } from 'playwright-core'
import { shortTitle } from '../../src/surfaces/site/page-context.ts'
import { realRegistry } from '../support/registry.ts'

/** The name of a type on its button. */
const labelOf = (type: CheckType) => shortTitle(realRegistry().get(type)!)

/** The panel as a person meets it: by what it says. */
export function panelOf(page: Page) {
  const panel = page.getByRole('region', { name: 'Try it' })
  const wallet = page.getByRole('dialog', { name: 'Sandbox wallet' })
  return {
    panel,
    wallet,
    progress: panel.getByRole('status'),
    terms: panel.getByRole('region', { name: 'The terms' }),
    pay: panel.getByRole('button', { name: 'Sign and pay $0.001' }),
    valid: panel.getByRole('heading', { name: 'Valid', exact: true }),
    invalid: panel.getByRole('heading', { name: 'Not valid' }),
    receipt: panel.getByRole('region', { name: 'Receipt' }),
    /** Asks for the terms of a check. */
    async ask(type: CheckType, value: string) {
      await panel.getByRole('radio', { name: labelOf(type), exact: true }).check()
      await panel.getByLabel('Value').fill(value)
      await panel.getByRole('button', { name: 'See the price' }).click()
    },
    /** What stands beside a name in a list of facts. */
    fact: (place: Locator, name: string) =>
      place.locator('div', { has: page.getByText(name, { exact: true }) }).locator('dd'),
    transaction: () => page.locator('.transaction').innerText(),
  }
}

export type Panel = ReturnType<typeof panelOf>

/** The whole way: terms, wallet, answer. */
export async function buy(panel: Panel, type: CheckType, value: string): Promise<void> {
  await panel.ask(type, value)
  await panel.pay.click()
  await panel.wallet.getByRole('button', { name: 'Sign' }).click()
  await panel.receipt.waitFor()
}
