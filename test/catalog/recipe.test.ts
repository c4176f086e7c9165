/** The recipe of CONTRIBUTING.md works: the LEI (ISO 17442) is added to a copy of the project, by its files and commands. */
import { spawnSync } from 'node:child_process'
import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
const WRITTEN = join(import.meta.dirname, 'lei')
const scratch = mkdtempSync(join(tmpdir(), 'recipe-'))

const recipe = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8').split(/^## /m).find(isRecipe) ?? ''
function isRecipe(section: string): boolean {
  return section.startsWith('Adding a check\n')
}
/** The first cell of each row of the recipe's table. */
const files = [...recipe.matchAll(/^\| `([^`]+)` \|/gm)].map(([, file]) => file!.replaceAll('<type>', 'lei'))
/** The lines of its block of commands, without their comments. */
const commands = (/```sh\n(.*?)```/s.exec(recipe)?.[1] ?? '')
  .replaceAll('\\\n', '')
  .split('\n')
  .flatMap((line) => {
    const command = line.replace(/ +#.*/, '')
    return command === '' ? [] : [command]
  })

/** What the recipe adds to files that are there already. */
const EDITS: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  'src/checks/verdict.ts': [["'email'] as const", "'lei', 'email'] as const"]],
  'src/checks/checks.ts': [
    ['import { checkPlNip', "import { checkLei, LEI } from './lei/check-lei.ts'\nimport { checkPlNip"],
    ['  email: checkEmail,\n', '  lei: checkLei,\n  email: checkEmail,\n'],
    ['  email: EMAIL,\n', '  lei: LEI,\n  email: EMAIL,\n'],
  ],
  'src/checks/advice/hints.ts': [
    ["'pl-pesel'] as const\nconst POLISH", "'pl-pesel', 'lei'] as const\nconst POLISH"],
  ],
}

const textOf = (path: string) => readFileSync(join(scratch, path), 'utf8')

function write(path: string): void {
  const [file, source] = [join(scratch, path), join(WRITTEN, path)]
  const changes = EDITS[path]
  if (changes !== undefined) writeFileSync(file, edited(path, changes))
  else if (path === 'test/vectors/mistakes.json') {
    const lists = [file, source].map((each) => JSON.parse(readFileSync(each, 'utf8')))
    writeFileSync(file, JSON.stringify(lists.flat()))
  } else {
    mkdirSync(dirname(file), { recursive: true })
    cpSync(path.endsWith('.ts') ? `${source}.txt` : source, file)
  }
}

const edited = (path: string, changes: readonly (readonly [string, string])[]): string =>
  changes.reduce((before, [from, to]) => {
    expect(before, path).toContain(from)
    return before.replace(from, to)
  }, textOf(path))

/** The files of the copy that are not those of the project. */
const changed = () =>
  globSync('**/*', { cwd: scratch, withFileTypes: true, exclude: ['**/node_modules'] })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(scratch.length + 1))
    .filter((path) => !isSame(path))
    .sort()

function isSame(path: string): boolean {
  try {
    return readFileSync(join(ROOT, path)).equals(readFileSync(join(scratch, path)))
  } catch {
    return false
  }
}

beforeAll(() => {
  const left = new Set(['node_modules', '.git', '.data', 'dist', 'coverage', 'ci-output'])
  for (const name of readdirSync(ROOT)) {
    if (!left.has(name)) {
      cpSync(join(ROOT, name), join(scratch, name), {
        recursive: true,
        filter: (path) => !path.endsWith('node_modules'),
      })
    }
  }
  symlinkSync(join(ROOT, 'node_modules'), join(scratch, 'node_modules'))
  for (const path of files) write(path)
})
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

it('names at most twelve files, all of checks, skills and vectors', () => {
  expect(files.length).toBeLessThanOrEqual(12)
  for (const path of files) expect(path).toMatch(/^(?:src\/checks|skills|test\/vectors)\//)
  expect(changed()).toEqual(files.toSorted())
})

it('needs no other command than its own, and the tests that it names pay for an LEI on every surface', () => {
  expect(commands.length).toBeGreaterThan(4)
  const PATH = [dirname(process.execPath), process.env.PATH].join(delimiter)
  // Under CI a test run leaves a report, which the recipe does not ask for.
  const { CI: _, ...env } = process.env
  for (const command of commands) {
    const { status, stdout, stderr } = spawnSync('sh', ['-c', command], {
      cwd: scratch,
      encoding: 'utf8',
      maxBuffer: 1 << 26,
      env: { ...env, PATH },
    })
    expect(status, `${command}\n${stdout}\n${stderr}`).toBe(0)
  }
})

it('has written what follows from the check, and nothing else', () => {
  const made = changed().filter((path) => !files.includes(path))
  expect(made).toEqual([
    'README.md',
    'docs/cli.md',
    'docs/correctness.md',
    'docs/privacy.md',
    'test/vectors/answers.json',
  ])
  const { output } = JSON.parse(textOf('skills/lei/assets/examples.json'))[0]
  expect(output).toMatchObject({ type: 'lei', valid: true, details: { ruleset: 'lei:iso17442-2020' } })
  expect(textOf('README.md')).toContain('Polish IDs, LEIs and email addresses')
  expect(textOf('docs/correctness.md')).toContain('`lei:iso17442-2020`')
})
