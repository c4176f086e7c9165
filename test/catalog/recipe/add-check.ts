/** Adds a check to a copy of the project as the recipe of CONTRIBUTING.md says: by the files that a person writes. */
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { linkModules } from '../../support/linked-modules.ts'

const ROOT = join(import.meta.dirname, '../../..')
const NOT_COPIED = new Set(['node_modules', '.git', '.data', 'dist', 'coverage', 'ci-output'])

/** Three that are sold nowhere, each of another form: letters and digits with a country, digits alone, and text. */
export const ADDED = ['plumtag', 'stub', 'shelfmark'] as const

/** Without what is made and what is installed. */
export function copyProject(scratch: string): void {
  for (const name of readdirSync(ROOT)) {
    if (NOT_COPIED.has(name)) continue
    const filter = (path: string) => !path.endsWith('node_modules')
    cpSync(join(ROOT, name), join(scratch, name), { recursive: true, filter })
  }
  linkModules(scratch)
}

/** Writes the files of the recipe's table, by their paths with `<type>` filled in; throws for one that it does not know. */
export function addCheck(scratch: string, type: string, paths: readonly string[]): void {
  for (const path of paths) {
    const to = join(scratch, path)
    mkdirSync(dirname(to), { recursive: true })
    if (path === 'packages/checks/src/light-checks.ts')
      writeFileSync(to, registered(readFileSync(to, 'utf8'), type))
    else cpSync(join(import.meta.dirname, type, sourceOf(path, type)), to)
  }
}

function sourceOf(path: string, type: string): string {
  if (path === `test/vectors/${type}.json`) return 'vectors.json'
  const name = path.split('/').at(-1) ?? ''
  return name.endsWith('.ts') ? `${name}.txt` : name
}

function registered(source: string, type: string): string {
  const name = type.toUpperCase()
  const check = `check${type.charAt(0).toUpperCase()}${type.slice(1)}`
  return `import { ${check} } from './${type}/check-${type}.ts'\nimport { ${name} } from './${type}/profile.ts'\n${source
    .replace('  email: checkEmail,\n', `  email: checkEmail,\n  ${type}: ${check},\n`)
    .replace('  email: EMAIL,\n', `  email: EMAIL,\n  ${type}: ${name},\n`)}`
}
