/** The recipe of CONTRIBUTING.md works: three unlike checks are added to a copy of the project, by its files and commands. */
import { spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ADDED, addCheck, copyProject } from './recipe/add-check.ts'

const ROOT = join(import.meta.dirname, '../..')
const scratch = mkdtempSync(join(tmpdir(), 'recipe-'))

const recipe =
  readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8')
    .split(/^## /m)
    .find((section) => section.startsWith('Adding a check\n')) ?? ''
/** The first cell of each row of the recipe's table. */
const filesOf = (type: string) =>
  [...recipe.matchAll(/^\| `([^`]+)` \|/gm)].map(([, file]) => file!.replaceAll('<type>', type))
/** The lines of its block of commands, without their comments. */
const commands = (/```sh\n(.*?)```/s.exec(recipe)?.[1] ?? '')
  .split('\n')
  .flatMap((line) => line.replace(/ +#.*/, '') || [])

const written = [...new Set(ADDED.flatMap(filesOf))]

/** Characters at the end of what a command that fails has printed. */
const LAST = 8_000

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

function run(command: string): void {
  const PATH = [dirname(process.execPath), process.env.PATH].join(delimiter)
  // Under CI a test run leaves a report, which the recipe does not ask for.
  const { CI: _, ...env } = process.env
  const { status, stdout, stderr } = spawnSync('sh', ['-c', command], {
    cwd: scratch,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
    env: { ...env, PATH },
  })
  expect(status, `${command}\n${stdout.slice(-LAST)}\n${stderr.slice(-LAST)}`).toBe(0)
}

beforeAll(() => {
  copyProject(scratch)
  for (const type of ADDED) addCheck(scratch, type, filesOf(type))
})
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

it('names at most five files, all of checks, skills and vectors', () => {
  for (const type of ADDED) expect(filesOf(type).length).toBeLessThanOrEqual(5)
  for (const path of written) expect(path).toMatch(/^(?:packages\/checks\/src|skills|test\/vectors)\//)
  expect(changed()).toEqual(written.toSorted())
})

it('has commands that write what follows from the checks, and nothing else', () => {
  expect(commands.length).toBeGreaterThan(3)
  for (const command of commands) run(command)
  expect(changed().filter((path) => !written.includes(path))).toEqual(
    [
      ...ADDED.flatMap((type) =>
        [
          'SKILL.md',
          ...['advice.md', 'examples.json', 'input.schema.json', 'output.schema.json'].map(
            (name) => `assets/${name}`,
          ),
        ].map((name) => `skills/${type}/${name}`),
      ),
      ...['README.md', 'docs/cli.md', 'docs/evidence/sources.csv', 'docs/evidence/hints.csv'],
      ...['docs/evidence/hints.md', 'docs/privacy.md', 'test/vectors/answers.json'],
    ].sort(),
  )
})

/** With them, each check is bought on every surface (test/parity.test.ts). */
it('needs nothing else for the whole unit project', () => {
  run('node_modules/.bin/vitest run --project unit --reporter=dot')
})
