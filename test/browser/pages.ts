import { readdirSync } from 'node:fs'
import { join } from 'node:path'
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
  ...readdirSync(join(ROOT, 'docs')).flatMap((name) =>
    name.endsWith('.md') ? [`/docs/${name.replace(/\.md$/, '')}`] : [],
  ),
]
