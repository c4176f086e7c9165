/** A check is added by data: LEI (ISO 17442) in a scratch copy, by the recipe in CONTRIBUTING.md and nothing else. */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { CHECK_TYPES } from '../../src/checks/verdict.ts'
import { checkNames } from '../../src/skills/check-names.ts'
import { realRegistry } from '../support/registry.ts'

const ROOT = join(import.meta.dirname, '../..')
const DATA = join(import.meta.dirname, 'seventh-check')
const NAME = 'legal entity identifier (LEI)'
const TYPES = [...CHECK_TYPES, 'lei']
const scratch = mkdtempSync(join(tmpdir(), 'seventh-check-'))

/** Starts the sandbox of the scratch copy, reads what it publishes, and prints it as one line of JSON. */
const PROBE = `
import { readConfig } from './src/config.ts'
import { createLog } from './src/log.ts'
import { startSandboxService } from './src/main/sandbox/start-sandbox.ts'
const config = readConfig({ PORT: '0', ADMIN_PORT: '0', DATA_DIR: './data' })
const service = await startSandboxService(config, createLog({ level: 'error', write: () => {} }))
const read = async (path) => (await fetch(service.url + path, { headers: { accept: '*/*' } })).text()
const paths = ['/api/types', '/openapi.json', '/.well-known/agent-card.json', '/.well-known/mcp.json',
  '/.well-known/x402', '/.well-known/agent-skills/index.json', '/llms.txt', '/', '/checks/lei']
const texts = Object.fromEntries(await Promise.all(paths.map(async (path) => [path, await read(path)])))
const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"value":"506700GE1G29325QX363"}' }
texts.unpaid = String((await fetch(service.url + '/api/validate/lei', post)).status)
await new Promise((written) => process.stdout.write(JSON.stringify(texts), written))
await service.stop()
process.exit(0)
`

const run = (...args: readonly string[]) =>
  spawnSync(process.execPath, args, { cwd: scratch, encoding: 'utf8', maxBuffer: 1 << 26 })

const edit = (path: string, changes: readonly (readonly [string, string])[]) => {
  const file = join(scratch, path)
  const text = changes.reduce(
    (before, [from, to]) => {
      expect(before).toContain(from)
      return before.replace(from, to)
    },
    readFileSync(file, 'utf8'),
  )
  writeFileSync(file, text)
}

let published: Readonly<Record<string, string>>

beforeAll(() => {
  for (const part of ['src', 'skills', 'agent-card', 'scripts', 'docs', 'bin']) {
    cpSync(join(ROOT, part), join(scratch, part), { recursive: true })
  }
  for (const file of ['package.json', 'package-lock.json', 'tsconfig.json', 'CHANGELOG.md', 'README.md']) {
    cpSync(join(ROOT, file), join(scratch, file))
  }
  symlinkSync(join(ROOT, 'node_modules'), join(scratch, 'node_modules'))
  mkdirSync(join(scratch, 'src/checks/lei'))
  cpSync(join(DATA, 'check-lei.ts.txt'), join(scratch, 'src/checks/lei/check-lei.ts'))
  cpSync(join(DATA, 'lei'), join(scratch, 'skills/lei'), { recursive: true })
  edit('src/checks/verdict.ts', [["'email'] as const", "'email', 'lei'] as const"]])
  edit('src/checks/checks.ts', [
    ['import { checkPlNip', "import { checkLei, LEI } from './lei/check-lei.ts'\nimport { checkPlNip"],
    ['  email: checkEmail,\n', '  email: checkEmail,\n  lei: checkLei,\n'],
    ['  email: EMAIL,\n', '  email: EMAIL,\n  lei: LEI,\n'],
  ])
  expect(run('scripts/update-examples.ts')).toMatchObject({ status: 0, stderr: '' })
  writeFileSync(join(scratch, 'probe.ts'), PROBE)
  const { stdout, stderr } = run('probe.ts')
  expect(stderr).toBe('')
  published = JSON.parse(stdout)
})
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

const json = (path: string) => JSON.parse(published[path]!)
const idsOf = (entries: readonly Record<string, unknown>[], member: string) =>
  entries.map((each) => each[member])

it('the published set of today is this', () => {
  expect(CHECK_TYPES).toEqual(['iban', 'eu-vat', 'pl-nip', 'pl-regon', 'pl-pesel', 'email'])
  expect(checkNames(realRegistry().all)).toBe(
    'IBAN, EU VAT number, Polish NIP, Polish REGON, Polish PESEL, email address',
  )
})

it('the code of the copy is sound', () => {
  writeFileSync(join(scratch, 'tsconfig.src.json'), '{"extends":"./tsconfig.json","include":["src"]}')
  expect(run('node_modules/typescript/bin/tsc', '-p', 'tsconfig.src.json')).toMatchObject({
    status: 0,
    stdout: '',
  })
})

it('the listing and the manifest offer it, in their sentence too', () => {
  expect(idsOf(json('/api/types').types, 'type')).toEqual(TYPES)
  expect(json('/api/types').summary).toContain(NAME)
  const paths = json('/.well-known/x402').resources.map((url: string) => new URL(url).pathname)
  expect(paths).toEqual(expect.arrayContaining(['/api/validate/lei', '/api/validate/lei/batch']))
})

it('OpenAPI describes it', () => {
  const { paths, components } = json('/openapi.json')
  expect(Object.keys(paths)).toContain('/api/validate/lei')
  expect(JSON.stringify(components)).toContain('"email","lei"')
})

it('the agent card has it as a skill and names it', () => {
  const card = json('/.well-known/agent-card.json')
  expect(idsOf(card.skills, 'id')).toEqual(TYPES)
  expect(card.description).toContain(NAME)
})

it('MCP lists it as a tool', () => {
  expect(idsOf(json('/.well-known/mcp.json').tools, 'name')).toContain('validate_lei')
})

it('it has an Agent Skill, a line in llms.txt and a place on the pages', () => {
  expect(idsOf(json('/.well-known/agent-skills/index.json').skills, 'name')).toEqual(TYPES)
  expect(published['/llms.txt']).toContain('A2A skill lei.')
  expect(published['/']).toContain('/checks/lei')
  expect(published['/checks/lei']).toContain('LEI')
})

it('it is sold: an unpaid call is answered 402', () => {
  expect(published.unpaid).toBe('402')
})
