import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { readLock } from '../../scripts/read-lock.ts'
import { findAnvil } from '../../src/sandbox/chain/anvil-binary.ts'
import { ROOT, type Running, run } from '../support/command.ts'
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
  for (const name of readdirSync(join(ROOT, 'packages')))
    symlinkSync(`../packages/${name}`, join(app, 'node_modules', `format-checker-${name}`))
  const modules = join(app, 'node_modules')
  execFileSync('sh', [join(ROOT, 'scripts/slim-modules.sh'), modules], { stdio: 'pipe' })
  const megabytes = Number.parseInt(execFileSync('du', ['-sm', modules], { encoding: 'utf8' }), 10)
  expect(megabytes).toBeLessThanOrEqual(MOST_MB)
  const command = run([join(app, 'bin/format-checker.js'), 'try', 'iban', 'GB82 WEST 1234 5698 7654 32'])
  expect((await command.ended).code, command.stderr.join()).toBe(0)
  expect(command.stdout.join('')).toContain('"valid": true')

  const programs = join(scratch, 'bin')
  mkdirSync(programs)
  symlinkSync(findAnvil(), join(programs, 'anvil'))
  const env = { PATH: `${programs}:${process.env.PATH}`, PORT: '0', TMPDIR: scratch, LOG_LEVEL: 'warn' }
  execFileSync(process.execPath, [join(ROOT, 'scripts/bundle-service.ts'), join(app, 'dist/service')])
  const [bundle, sources] = [join(app, 'dist/service/main.js'), join(ROOT, 'src/main.ts')].map((main) =>
    run([main], { env }),
  ) as [Running, Running]
  onTestFinished(() => {
    for (const { child } of [bundle, sources]) child.kill('SIGKILL')
  })
  const starts = await Promise.all([started(bundle), started(sources)])
  for (const { verdict } of starts) expect(verdict).toMatch(/^iban valid/)
  const [{ url }, { url: other }] = starts
  const routes = await routesOf(url)
  expect(routes.length).toBeGreaterThan(50)
  for (const route of routes) {
    expect(await documentAt(url, route), route).toEqual(await documentAt(other, route))
  }
  for (const service of [bundle, sources]) {
    service.child.kill('SIGTERM')
    expect(await service.ended).toEqual({ code: 0, signal: null })
  }
})

const routesOf = async (url: string) => {
  const sitemap = await (await fetch(`${url}/sitemap.xml`)).text()
  const pages = Array.from(sitemap.matchAll(/<loc>(.*?)<\/loc>/g), ([, loc = '']) => new URL(loc).pathname)
  const front = await (await fetch(url)).text()
  const files = Array.from(front.matchAll(/(?:href|src)="(\/[^"#?]+)"/g), ([, path = '']) => path)
  return [...new Set([...pages, ...files])]
}

/** Without what a start draws, addresses, keys and the port, and without the folder that it starts from. */
const documentAt = async (url: string, route: string) => {
  const response = await fetch(new URL(route, url))
  const text = (await response.text())
    .replaceAll(new URL(url).host, 'HOST')
    .replaceAll(join(scratch, 'app'), 'FOLDER')
    .replaceAll(ROOT.replace(/\/$/, ''), 'FOLDER')
    .replaceAll(/0x[0-9a-fA-F]{40,}|"(?:protected|signature)":"[^"]+"/g, '')
  return { status: response.status, type: response.headers.get('content-type'), text }
}
