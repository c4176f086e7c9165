import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { readOperatorFiles } from '../../../src/surfaces/documents/operator-files.ts'
import { startTestService } from '../../support/sandbox-service.ts'
import { scratchDir } from '../../support/service-process.ts'

const folders: ReturnType<typeof scratchDir>[] = []
function folder(files: Readonly<Record<string, string | Buffer>> = {}): string {
  const scratch = scratchDir()
  folders.push(scratch)
  mkdirSync(join(scratch.path, 'well-known'))
  for (const [name, body] of Object.entries(files))
    writeFileSync(join(scratch.path, 'well-known', name), body)
  return scratch.path
}
afterEach(() => {
  for (const { remove } of folders.splice(0)) remove()
})

it('publishes the files of the folder, as they are, and nothing beside them', async () => {
  const registration = '{"registrations":[{"agentId":7}]}'
  const path = folder({
    'glama.json': '{"claim":"x"}',
    'mcp-registry-auth': 'v=MCPv1',
    'agent-registration.json': registration,
  })
  const service = await startTestService({ OPERATOR_DIR: path })
  try {
    const get = (target: string) => fetch(`${service.url}/.well-known/${target}`)
    const glama = await get('glama.json')
    expect(await glama.text()).toBe('{"claim":"x"}')
    expect(glama.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(glama.headers.get('x-content-type-options')).toBe('nosniff')
    const auth = await get('mcp-registry-auth')
    expect([await auth.text(), auth.headers.get('content-type')]).toEqual([
      'v=MCPv1',
      'text/plain; charset=utf-8',
    ])
    // An operator who registers the agent on chain (ERC-8004) publishes the registration file so.
    expect(await (await get('agent-registration.json')).text()).toBe(registration)
    writeFileSync(join(path, 'well-known', 'later.txt'), 'SECRET')
    for (const target of ['later.txt', '%2e%2e/well-known', 'glama.json%00', '.'])
      expect((await get(target)).status).not.toBe(200)
  } finally {
    await service.stop()
  }
})

it.each([
  ['a hidden file', { '.env': 'x' }],
  ['a name with a blank', { 'a b': 'x' }],
  ['a name with an umlaut', { 'ä.txt': 'x' }],
  ['a name of 101 characters', { ['a'.repeat(101)]: 'x' }],
  ['a file over 64 kB', { 'big.txt': Buffer.alloc(65_537) }],
])('%s is a startup error', (_what, files) => {
  expect(() => readOperatorFiles({ operatorDir: folder(files) })).toThrow(/^OPERATOR_DIR: /)
})

it('a link is a startup error, wherever it leads', () => {
  const path = folder({ target: 'x' })
  symlinkSync('/etc/passwd', join(path, 'well-known', 'passwd'))
  expect(() => readOperatorFiles({ operatorDir: path })).toThrow(
    '"passwd" must be a plain file, not a folder or a link',
  )
})

it('a folder in it, or no folder at all, is a startup error', () => {
  const path = folder()
  mkdirSync(join(path, 'well-known', 'inner'))
  expect(() => readOperatorFiles({ operatorDir: path })).toThrow('"inner" must be a plain file')
  expect(() => readOperatorFiles({ operatorDir: join(path, 'none') })).toThrow(
    'OPERATOR_DIR: the folder cannot be read',
  )
})

it('may be without files to publish, and may have nothing else', () => {
  const path = folder()
  rmSync(join(path, 'well-known'), { recursive: true })
  expect(readOperatorFiles({ operatorDir: path })).toEqual([])
  writeFileSync(join(path, 'wellknown'), 'x')
  expect(() => readOperatorFiles({ operatorDir: path })).toThrow('OPERATOR_DIR: "wellknown" is not')
})

it.each(['did.json', 'agent-card.json', 'x402'])('%s cannot be replaced', async (name) => {
  await expect(startTestService({ OPERATOR_DIR: folder({ [name]: '{}' }) })).rejects.toThrow(
    `OPERATOR_DIR: the service itself publishes /.well-known/${name}`,
  )
})
