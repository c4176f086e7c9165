import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { CHECK_TYPES } from '../src/verdict.ts'

const ROOT = join(import.meta.dirname, '../../..')
/** The list of the checks names them, and so may samples and files that are about one or two of them. */
const MAY_NAME = [
  'packages/checks/src/light-checks.ts',
  'src/lists/join-cells.ts',
  'src/surfaces/site/explained.ts',
]
/** What only the check itself knows is asked of its profile. */
const FOLDERS = new RegExp(
  `from '(?:[./]*(?:packages/)?checks/src|format-checker-checks(?:/internal)?)/(?:${CHECK_TYPES.join('|')})[/']`,
)
/** As texts, with the name of the operation; beginnings such as 'pl-'; keys and members of tables; parts of a pattern. */
const ANY = CHECK_TYPES.join('|')
const BEGINNINGS = CHECK_TYPES.filter((type) => type.includes('-')).map((type) => type.replace(/-.*/, '-'))
const PLAIN = CHECK_TYPES.filter((type) => !type.includes('-')).join('|')
const NAMES = new RegExp(
  [
    `(['"\`])(?:validate_)?(?:${ANY}|${ANY.replaceAll('-', '_')}|${BEGINNINGS.join('|')})\\1`,
    `(?:[{,]|^)\\s*(?:${PLAIN}):\\s*(?:\\d|true|false)`,
    `[A-Z]{4}\\.(?:${PLAIN})\\b|\\b(?:${PLAIN})\\b[^}]*\\} = [A-Z]{4}`,
    `[|^](?:${ANY})[|)$]|\\((?:${ANY})[|$]`,
  ].join('|'),
)

const sources = globSync(['src/**/*.{ts,js}', 'packages/*/src/**/*.ts', 'packages/*/*.ts'], { cwd: ROOT })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => !MAY_NAME.includes(path))

/** Without comments, which may say anything. */
const codeOf = (path: string) =>
  readFileSync(join(ROOT, path), 'utf8').replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')

const namesIn = (text: string) => text.split('\n').filter((line) => NAMES.test(line) || FOLDERS.test(line))

test('no file outside the folder of a check names its type or reaches into its folder', () => {
  expect(sources.length).toBeGreaterThan(300)
  const own = (path: string) => CHECK_TYPES.some((type) => path.startsWith(`packages/checks/src/${type}/`))
  const found = sources
    .filter((path) => !own(path))
    .flatMap((path) => namesIn(codeOf(path)).map((line) => `${path}: ${line.trim()}`))
  expect(found, 'ask the profile: outline, mask, facts').toEqual([])
})

test.each([
  `if (id === 'iban') return true`,
  `const SHORTEST = { 'eu-vat': 4 }`,
  'case "pl-nip":',
  "if (type !== 'iban') return",
  "const TEXTS = new Set(['email'])",
  'const LONGEST = { iban: 34, email: 254 }',
  'iban: 34,',
  "if (type.startsWith('pl-')) return",
  'const { iban } = PROFILES',
  'CHECKS.email(value)',
  'if (/^(iban|email)$/.test(id)) return',
  "if (operationId === 'validate_eu_vat') return",
  `import { vatState } from '../../packages/checks/src/eu-vat/vat-state.ts'`,
  `import { checkEuVat } from 'format-checker-checks/eu-vat'`,
  `import { IBAN } from 'format-checker-checks/internal/iban/profile'`,
])('it would notice %s', (line) => {
  expect(namesIn(line)).toEqual([line])
})
