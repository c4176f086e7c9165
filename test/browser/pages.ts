import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { ROOT } from '../support/command.ts'

/** The paths of all pages that people read. */
export const PAGES = [
  '/',
  '/checks/iban',
  '/checks/eu-vat',
  '/checks/pl-nip',
  '/checks/pl-regon',
  '/checks/pl-pesel',
  '/checks/email',
  '/errors',
  '/checks',
  '/lists',
  '/pricing',
  '/status',
  '/docs',
  '/docs/changelog',
  '/docs/reporting',
  ...guidesIn('docs'),
]

/** The paths of the pages that reviewers follow a link to. */
export const EVIDENCE = guidesIn('docs/evidence')

function guidesIn(folder: string): readonly string[] {
  return readdirSync(join(ROOT, folder)).flatMap((name) =>
    name.endsWith('.md') ? [`/${folder}/${name.replace(/\.md$/, '')}`] : [],
  )
}

/** The width of an A4 sheet between its margins, in CSS pixels. */
export const SHEET = { width: 718, height: 1047 }

/** The boxes of a printed page that hide a part of what they hold. */
export const CUT_OFF = `[...document.querySelectorAll('main *')]
  .filter((each) => each.checkVisibility() && getComputedStyle(each).overflowX !== 'visible')
  .filter((each) => !each.matches('.quiet, input, select, textarea'))
  .filter((each) => each.scrollWidth > each.clientWidth || each.scrollHeight > each.clientHeight)
  .map((each) => each.className + ': ' + each.textContent.slice(0, 40))`

/** The width that a page takes, in CSS pixels. */
export const widthOf = (page: Page): Promise<unknown> => page.evaluate('document.documentElement.scrollWidth')
