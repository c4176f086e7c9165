import type { Page } from 'playwright-core'

/** The page for lists as a person meets it. */
export function listPageOf(page: Page) {
  const form = page.locator('#list')
  const wallet = page.getByRole('dialog', { name: 'Sandbox wallet' })
  const title = page.locator('#results-title')
  const ask = page.getByRole('button', { name: /^Pay \$/ })
  const pay = (price: string) => page.getByRole('button', { name: `Sign and pay ${price}`, exact: true })
  const sign = async () => {
    await wallet.getByRole('button', { name: 'Sign' }).click()
    await title.waitFor()
  }
  return {
    form,
    wallet,
    title,
    ask,
    pay,
    /** Signs in the wallet and waits for the table. */
    sign,
    values: page.getByLabel('Values, one a line'),
    file: page.locator('#file'),
    column: page.getByLabel('Column').locator('option:checked'),
    summary: page.locator('#summary'),
    /** Read them by `allTextContents`: rows out of sight are not laid out and have no inner text. */
    rows: page.locator('.rows tbody tr'),
    count: page.locator('.checked-list > .hint'),
    search: page.getByRole('searchbox', { name: 'Search' }),
    code: page.getByRole('combobox', { name: 'Finding' }),
    filter: (name: string) => page.getByRole('radio', { name, exact: true }),
    /** The whole way: one click from the price to the wallet, then the table. */
    async buy(price: string) {
      await page.getByRole('button', { name: `Pay ${price}`, exact: true }).click()
      await sign()
    },
    async save(name: string) {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name, exact: true }).click(),
      ])
      return download
    },
  }
}

export type ListPage = ReturnType<typeof listPageOf>
