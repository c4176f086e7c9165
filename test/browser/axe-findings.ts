import axe from 'axe-core'
import type { Page } from 'playwright-core'

/** What axe finds on the page as it stands, as lines that say where. */
export async function axeFindings(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source)
  // Every rule runs; what passes is not described.
  const results = (await page.evaluate(
    `axe.run(document, { resultTypes: ['violations'] })`,
  )) as axe.AxeResults
  return results.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target }) => `${id}: ${target.join(' ')}`),
  )
}
