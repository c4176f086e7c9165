import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, existsSync, globSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { getMcpConfigForManifest, unpackExtension } from '@anthropic-ai/mcpb'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { parseYaml } from '@redocly/openapi-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ROOT, run } from '../support/command.ts'
import { startTestService, type TestService } from '../support/sandbox-service.ts'
import { scratchDir } from '../support/service-process.ts'
import { installTarball, listTarball, packInto } from './packed.ts'

/** Older Nodes, put there by `.ci/run`; the pinned one is always tried. */
const OLDER = globSync('node_modules/.cache/older-nodes/node_modules/*/bin/node', { cwd: ROOT })
const NODES = [process.execPath, ...OLDER.map((path) => join(ROOT, path))]
const TOO_OLD = ['/usr/bin/node', '/usr/local/bin/node'].find((path) => existsSync(path))
const VALUE = 'GB82 WEST 1234 5698 7654 32'

const scratch = scratchDir()
const tarball = join(scratch.path, 'format-checker-1.2.0.tgz')
let service: TestService
let project: string
let command: string
beforeAll(async () => {
  packInto(scratch.path)
  project = installTarball(tarball, join(scratch.path, 'project'))
  command = join(project, 'node_modules/format-checker/bin/format-checker.js')
  service = await startTestService({ CHANNELS: 'on' })
})
afterAll(async () => {
  await service.stop()
  scratch.remove()
})

/** Runs the installed command to its end, with a home of its own. */
async function execute(node: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const running = run([command, ...args], { program: node, env: { HOME: project, ...env } })
  const { code } = await running.ended
  return { code, stdout: running.stdout.join('\n'), stderr: running.stderr.join('\n') }
}

describe('the package of the command', () => {
  test('holds its build, README, LICENSE, NOTICE and CHANGELOG, is small, and brings no other package', () => {
    const files = listTarball(tarball).filter(
      (path) => !/^build\/(?:[\w-]+\.js|skills\/[\w./-]+\.(?:json|md))$/.test(path),
    )
    expect(files.toSorted()).toEqual([
      'CHANGELOG.md',
      'LICENSE',
      'NOTICE',
      'README.md',
      'bin/format-checker.js',
      'bin/package.json',
      'package.json',
    ])
    expect(globSync('node_modules/*', { cwd: project })).toEqual(['node_modules/format-checker'])
    const sizes = globSync('node_modules/**/*', { cwd: project }).map(
      (path) => statSync(join(project, path)).size,
    )
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(15_000_000)
  })

  test('comes with a bill of materials, a statement of its origin, and digests that fit', () => {
    const read = (name: string) => readFileSync(join(scratch.path, name))
    const sha256 = (name: string) => createHash('sha256').update(read(name)).digest('hex')
    const sums = read('SHA256SUMS').toString().trim().split('\n')
    const names = sums.map((line) => line.split('  ')[1] as string)
    expect(sums).toEqual(names.map((name) => `${sha256(name)}  ${name}`))
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
    const own = `format-checker-${version}`
    expect(names).toEqual([
      ...[`${own}.cdx.json`, `${own}.mcpb`, `${own}.provenance.json`, `${own}.tgz`],
      `format-checker-checks-${version}.tgz`,
    ])
    const { subject, predicate } = JSON.parse(read(`${own}.provenance.json`).toString())
    expect(subject).toEqual(
      names
        .filter((name) => !name.includes('provenance'))
        .map((name) => ({ name, digest: { sha256: sha256(name) } })),
    )
    const lock = createHash('sha256')
      .update(readFileSync(join(ROOT, 'package-lock.json')))
      .digest('hex')
    expect(predicate.buildDefinition.resolvedDependencies.at(-1).digest.sha256).toBe(lock)
    // The ZIP says 1980, so that two builds are the same bytes.
    expect(read(`${own}.mcpb`).readUInt32LE(10)).toBe(0x21_0000)
    const { components } = JSON.parse(read(`${own}.cdx.json`).toString())
    expect(components.length).toBeGreaterThan(100)
    for (const { licenses } of components) expect(licenses).toHaveLength(1)
  })

  test('is also a bundle for Claude Desktop: no native part, and its form holds the key as a secret', async () => {
    const folder = join(scratch.path, 'desktop')
    const file = join(scratch.path, 'format-checker-1.2.0.mcpb')
    expect(await unpackExtension({ mcpbPath: file, outputDir: folder, silent: true })).toBe(true)
    const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'))
    expect(manifest).toMatchObject({ version: '1.2.0', user_config: { key: { sensitive: true } } })
    expect(globSync('**/*.node', { cwd: folder })).toEqual([])
    const started = await getMcpConfigForManifest({
      manifest,
      extensionPath: folder,
      systemDirs: {},
      userConfig: { url: 'https://checks.example' },
      pathSeparator: '/',
    })
    if (started === undefined) throw new Error('the bundle cannot be started without a key')
    const client = new Client({ name: 'host', version: '1' })
    const env = { ...started.env, HOME: folder }
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args: [...(started.args ?? [])], env }),
    )
    const value = 'DE89 3704 0044 0532 0130 00'
    const example = await client.callTool({ name: 'validate_iban', arguments: { value } })
    const other = await client.callTool({ name: 'validate_iban', arguments: { value: 'FR14' } })
    await client.close()
    expect(example).toMatchObject({ structuredContent: { payment: { charged: false } } })
    expect(JSON.stringify(other.content)).toContain('0.001')
  })

  test('has the commands of a buyer alone', async () => {
    const { stdout } = await execute(process.execPath, ['help'])
    const commands = [...stdout.matchAll(/^ {2}([a-z]+) {2,}/gm)].map(([, name]) => name)
    expect(commands).toEqual(['try', 'buy', 'refund', 'mcp', 'verify'])
    const serve = await execute(process.execPath, ['serve'])
    expect(serve).toMatchObject({ code: 2, stdout: '' })
    expect(serve.stderr).toContain('"serve" is not in this package')
  })

  test.skipIf(TOO_OLD === undefined)('says in one line that a Node is too old', async () => {
    const { code, stderr } = await execute(TOO_OLD as string, ['try', 'iban', VALUE])
    if (code === 0) return
    expect(stderr).toMatch(
      /^format-checker needs Node 22\.13 or newer, and this is \S+; install one from \S+$/,
    )
  })

  test('runs from the address of a service, without being installed', async () => {
    const server = createServer((_, response) => response.end(readFileSync(tarball))).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/format-checker-1.2.0.tgz`
    const npx = run(['-y', url, 'try', 'iban', VALUE, '--json'], { program: 'npx', env: { HOME: project } })
    expect(await npx.ended).toEqual({ code: 0, signal: null })
    expect(JSON.parse(npx.stdout.join('\n'))).toMatchObject({ valid: true })
    server.close()
  })

  test('checks columns of files in a pipeline, and buys the checks with a key', async () => {
    const folder = join(scratch.path, 'pipeline')
    mkdirSync(folder)
    const odd = 'D,n/a,4\n---,---,---\nTotal,,10\n'
    const rows = `A,${VALUE},1\nB,,2\nC,DE89370400440532013001,3\n${odd}`
    writeFileSync(join(folder, 'a.csv'), `Name,IBAN,code\n${rows}`)
    const FOLDER = join(scratch.path, 'installed')
    const install = async (SHA256: string) => {
      const env = { HOME: folder, PACKAGE: tarball, SHA256, FOLDER }
      const script = [join(ROOT, 'scripts/install-command.sh')]
      return (await run(script, { program: 'bash', env }).ended).code
    }
    const sha256 = createHash('sha256').update(readFileSync(tarball)).digest('hex')
    expect(await install(sha256.replace(/.$/, sha256.endsWith('0') ? '1' : '0'))).toBe(2)
    expect(existsSync(join(FOLDER, 'node_modules'))).toBe(false)
    expect(await install(sha256)).toBe(0)
    const check = async (env: Readonly<Record<string, string>>) => {
      const inputs = {
        FOLDER,
        TYPE: 'iban',
        COLUMN: 'IBAN',
        FILES: `${join(folder, 'a.csv')}\n`,
      }
      const script = [join(ROOT, 'scripts/check-files.sh')]
      const running = run(script, { program: 'bash', env: { HOME: folder, ...inputs, ...env } })
      const { code } = await running.ended
      return { code, stdout: running.stdout }
    }
    const codes = ['row 3: checksum', 'row 4: not_a_value']
    const found = { code: 1, stdout: codes.map((code) => `${join(folder, 'a.csv')}: ${code}`) }
    expect(await check({})).toEqual(found)
    const before = await service.books()
    const BUYER_PRIVATE_KEY = service.sandbox.buyer.privateKey
    expect(await check({ BUYER_PRIVATE_KEY, URL: service.url, MAX_SPEND: '1' })).toEqual(found)
    expect((await service.books()).payee - before.payee).toBe(2_000n)
    // An expression that finds no file must not pass.
    for (const key of [{}, { BUYER_PRIVATE_KEY }])
      expect(await check({ ...key, FILES: '\n', URL: service.url, MAX_SPEND: '1' })).toMatchObject({
        code: 2,
      })
  })

  test('a key of a wallet is in no step of the action that installs', () => {
    const action = parseYaml(readFileSync(join(ROOT, 'action.yml'), 'utf8')) as {
      inputs: { sha256: { required: boolean } }
      runs: { steps: { env: object; run: string }[] }
    }
    expect(action.inputs.sha256.required).toBe(true)
    const [install, check, ...others] = action.runs.steps
    expect(others).toEqual([])
    expect(Object.keys(install?.env ?? {})).toEqual(['PACKAGE', 'SHA256', 'FOLDER'])
    expect(install?.run).toContain('install-command.sh')
    expect(Object.keys(check?.env ?? {})).not.toContain('PACKAGE')
  })

  test('a tarball whose digest differs is refused by npm, in words that say so', () => {
    const other = join(scratch.path, 'other')
    mkdirSync(other)
    const digest = `sha512-${createHash('sha512').update('another').digest('base64')}`
    const locked = { version: '1.2.0', resolved: `file:${tarball}`, integrity: digest }
    const manifest = { name: 'x', dependencies: { 'format-checker': `file:${tarball}` } }
    const packages = { '': manifest, 'node_modules/format-checker': locked }
    writeFileSync(join(other, 'package.json'), JSON.stringify(manifest))
    writeFileSync(join(other, 'package-lock.json'), JSON.stringify({ lockfileVersion: 3, packages }))
    const npm = spawnSync('npm', ['ci', '--offline'], { cwd: other, encoding: 'utf8' })
    expect(npm.status).not.toBe(0)
    expect(npm.stderr).toContain('EINTEGRITY')
  })

  test('says in one line that no service answers', async () => {
    const args = ['buy', 'iban', VALUE, '--url', 'http://127.0.0.1:9']
    const env = { BUYER_PRIVATE_KEY: service.sandbox.buyer.privateKey }
    const { code, stderr } = await execute(process.execPath, args, env)
    expect(code).toBe(1)
    expect(stderr).toMatch(/^[^\n]*127\.0\.0\.1:9[^\n]*$/)
  })

  test('says in one line that its files cannot be written', async () => {
    const home = join(scratch.path, 'home-is-a-file')
    writeFileSync(home, '')
    const args = ['buy', 'iban', VALUE, '--channel', '--url', service.url]
    const { code, stderr } = await execute(process.execPath, args, { HOME: home })
    expect(code).toBe(2)
    expect(stderr.split('\n')[0]).toMatch(
      /the channel's file cannot be written \(ENOTDIR\); name another with --channel-file/,
    )
  })
})

describe.each(NODES)('with %s', (node) => {
  test('checks without a network', async () => {
    const { code, stdout, stderr } = await execute(node, ['try', 'iban', VALUE, '--json'])
    expect([code, stderr]).toEqual([0, ''])
    expect(JSON.parse(stdout)).toMatchObject({ type: 'iban', valid: true })
  })

  // The oldest Node buys over each protocol.
  const surfaces = node === NODES[0] ? ['rest', 'a2a', 'mcp'] : ['rest']

  test.each(surfaces)('buys over %s and verifies the receipt', async (surface) => {
    const before = await service.books()
    const { code, stdout, stderr } = await execute(node, [
      ...['buy', 'iban', VALUE, '--surface', surface, '--url', service.url, '--json', '--quiet'],
    ])
    expect([code, stderr]).toEqual([0, ''])
    expect(JSON.parse(stdout)).toMatchObject({ verdict: { valid: true } })
    expect((await service.books()).payee - before.payee).toBe(1_000n)

    const file = join(scratch.path, `sale-${NODES.indexOf(node)}-${surface}.json`)
    writeFileSync(file, stdout)
    const verified = await execute(node, ['verify', file, '--url', service.url, '--json'])
    expect([verified.code, verified.stderr]).toEqual([0, ''])
    expect(JSON.parse(verified.stdout)).toMatchObject({
      genuine: true,
      keys: 'named',
      result: 'matches',
    })
  })

  test('buys a list with a journal, and a check over a channel, and gets the rest back', async () => {
    const folder = join(scratch.path, `list-${NODES.indexOf(node)}`)
    mkdirSync(folder)
    writeFileSync(join(folder, 'in.csv'), `IBAN\n${VALUE}\nDE89370400440532013000\n`)
    const list = ['buy', 'iban', '--file', join(folder, 'in.csv'), '--out', join(folder, 'out.csv')]
    const env = { HOME: folder }
    const checked = await execute(node, [...list, '--url', service.url], env)
    expect(checked.code, checked.stderr).toBe(0)
    const single = ['buy', 'iban', VALUE, '--channel']
    const bought = await execute(node, [...single, '--url', service.url], env)
    expect(bought.code, bought.stderr).toBe(0)
    const refunded = await execute(node, ['refund', '--url', service.url], env)
    expect(refunded.code, refunded.stderr).toBe(0)
    expect(checked.stderr + bought.stderr + refunded.stderr).not.toContain('Warning')
  })

  test('serves an assistant, which pays within the limit of the day', async () => {
    const keyFile = join(scratch.path, 'key')
    writeFileSync(keyFile, service.sandbox.buyer.privateKey)
    chmodSync(keyFile, 0o600)
    const home = join(scratch.path, `mcp-${NODES.indexOf(node)}`)
    const client = new Client({ name: 'host', version: '1' })
    await client.connect(
      new StdioClientTransport({
        command: node,
        args: [command, 'mcp', '--url', service.url, '--max-spend', '0.001'],
        env: { HOME: home, BUYER_PRIVATE_KEY_FILE: keyFile },
      }),
    )
    const call = () => client.callTool({ name: 'validate_iban', arguments: { value: VALUE } })
    const first = await call()
    const second = await client.callTool({ name: 'validate_email', arguments: { value: 'a@example.com' } })
    await client.close()
    expect(first.isError).not.toBe(true)
    expect(second).toMatchObject({ isError: true })
    expect(existsSync(join(home, '.local/state/format-checker/spending.sqlite'))).toBe(true)
  })
})
