import axe from 'axe-core'
import type { Page } from 'playwright-core'

/** The rules about colours: all that a scheme can break, where the whole page was looked at in another. */
export const OF_COLOURS = ['color-contrast', 'link-in-text-block']

/** What axe finds on the page as it stands, as lines that say where; every rule runs unless said otherwise. */
export async function axeFindings(page: Page, only?: readonly string[]): Promise<readonly string[]> {
  if (!(await page.evaluate(`'axe' in window`))) await page.evaluate(axe.source)
  // What passes is not described.
  const options = { resultTypes: ['violations'], ...(only === undefined ? {} : { runOnly: only }) }
  const results = (await page.evaluate(`axe.run(document, ${JSON.stringify(options)})`)) as axe.AxeResults
  return results.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target }) => `${id}: ${target.join(' ')}`),
  )
}
