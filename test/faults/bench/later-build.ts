import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ROOT } from '../../support/command.ts'
import { linkModules } from '../../support/linked-modules.ts'

const COPIED = [
  'src',
  'packages',
  'skills',
  'agent-card',
  'docs',
  'bin',
  'package.json',
  'LICENSE',
  'README.md',
  'SECURITY.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
]
const LIST = 'src/ledger/store/migrations/migrations.ts'

/** The migrations of the made-up later version: a column with a default, and an index. */
export const LATER = ['9998-later-column', '9999-later-index']
const MADE_UP = `  '${LATER[0]}': () => ["alter table payments add column later text default 'none' not null"],
  '${LATER[1]}': () => ['create index payments_later on payments (later, claimed_at)'],
`

/** Copies this project with two more migrations, as a later version would have them. */
export function makeLaterBuild(): { readonly root: string; remove(): void } {
  const root = mkdtempSync(join(tmpdir(), 'format-checker-later-'))
  for (const name of COPIED) cpSync(join(ROOT, name), join(root, name), { recursive: true })
  linkModules(root)
  const list = readFileSync(join(root, LIST), 'utf8')
  if (!list.endsWith('\n}\n')) throw new Error(`${LIST} does not end with its list`)
  // The last in the list, whatever stands before.
  writeFileSync(join(root, LIST), list.replace(/\n\}\n$/, `\n${MADE_UP}}\n`))
  return { root, remove: () => rmSync(root, { recursive: true, force: true }) }
}
