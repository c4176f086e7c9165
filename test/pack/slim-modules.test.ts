import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readLock } from '../../scripts/read-lock.ts'
import { findAnvil } from '../../src/sandbox/chain/anvil-binary.ts'
import { ROOT, run } from '../support/command.ts'
import { started } from '../support/service-process.ts'

/** The largest that the modules of the image may be. */
const MOST_MB = 150

// In the clone, so that packages can be linked instead of copied.
mkdirSync(join(ROOT, 'dist'), { recursive: true })
const scratch = mkdtempSync(join(ROOT, 'dist', 'image-'))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

/** What the last stage of the Dockerfile takes from the repository. */
function copiedParts(): readonly string[] {
  const stage =
    readFileSync(join(ROOT, 'Dockerfile'), 'utf8')
      .split(/^FROM /m)
      .at(-1) ?? ''
  return Array.from(stage.matchAll(/^COPY (?!--from)(.+) \S+$/gm), ([, parts = '']) =>
    parts.split(' '),
  ).flat()
}

test('the modules of the image are small, and the service sells with them', async () => {
  const app = join(scratch, 'app')
  for (const part of copiedParts()) cpSync(join(ROOT, part), join(app, part), { recursive: true })
  // As `npm ci --omit=dev` does.
  const installed = readLock(join(ROOT, 'package-lock.json')).filter(
    ({ path, dev }) => !dev && existsSync(join(ROOT, path)),
  )
  expect(installed.map(({ name }) => name)).not.toContain('typescript')
  for (const { path } of installed.toSorted((one, other) => one.path.length - other.path.length)) {
    if (existsSync(join(app, path))) continue
    mkdirSync(dirname(join(app, path)), { recursive: true })
    execFileSync('cp', ['-al', join(ROOT, path), join(app, path)])
  }
  const modules = join(app, 'node_modules')
  execFileSync('sh', [join(ROOT, 'scripts/slim-modules.sh'), modules], { stdio: 'pipe' })
  const megabytes = Number.parseInt(execFileSync('du', ['-sm', modules], { encoding: 'utf8' }), 10)
  expect(megabytes).toBeLessThanOrEqual(MOST_MB)

  const programs = join(scratch, 'bin')
  mkdirSync(programs)
  symlinkSync(findAnvil(), join(programs, 'anvil'))
  const service = run([join(app, 'src/main.ts')], {
    env: { PATH: `${programs}:${process.env.PATH}`, PORT: '0', TMPDIR: scratch, LOG_LEVEL: 'warn' },
  })
  expect((await started(service)).verdict).toMatch(/^iban valid/)
  service.child.kill('SIGTERM')
  expect(await service.ended).toEqual({ code: 0, signal: null })
})
