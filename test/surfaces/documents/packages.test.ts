import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { COMMANDS } from '../../../src/command-line/commands.ts'
import { mcpHosts } from '../../../src/surfaces/documents/mcp-hosts.ts'
import { commandLine, onPacked, readPackages, shellLine } from '../../../src/surfaces/documents/packages.ts'
import { readGuides } from '../../../src/surfaces/documents/texts/guides.ts'
import { ROOT } from '../../support/command.ts'
import { scratchDir } from '../../support/service-process.ts'

const scratch = scratchDir()
afterAll(() => scratch.remove())
const DIST = pathToFileURL(`${scratch.path}/`)
const baseUrl = 'https://checks.example'
const BODY = Buffer.from('a tarball')
writeFileSync(join(scratch.path, 'format-checker-1.2.0.tgz'), BODY)
writeFileSync(join(scratch.path, 'format-checker-1.1.0.tgz'), 'of an older version')

const hostsOf = (packages: ReturnType<typeof readPackages>) => {
  const guides = readGuides({ baseUrl, sandbox: false, packages })
  const { markdown } = guides.find(({ name }) => name === 'clients') as { markdown: string }
  return markdown.slice(markdown.indexOf('## MCP hosts'), markdown.indexOf('## curl'))
}

describe('the command as the documents name it', () => {
  test('is the tarball that the service serves, with its digest, until a name is published', () => {
    const packages = readPackages({ baseUrl, version: '1.2.0', packageName: null, sandbox: false }, DIST)
    const integrity = `sha512-${createHash('sha512').update(BODY).digest('base64')}`
    expect(packages.files.map(({ url, document }) => [url, document.body])).toEqual([
      [`${baseUrl}/format-checker-1.2.0.tgz`, BODY],
    ])
    const hosts = hostsOf(packages)
    expect(hosts).toContain(`npx -y ${baseUrl}/format-checker-1.2.0.tgz mcp --url ${baseUrl}`)
    expect(hosts).toContain(`"-y", "${baseUrl}/format-checker-1.2.0.tgz", "mcp", "--url", "${baseUrl}"`)
    expect(hosts).toContain(integrity)
    expect(hosts).not.toContain('.mcpb')
  })

  test('is the published name once PACKAGE is set', () => {
    const published = '@owner/format-checker@1.2.0'
    const hosts = hostsOf(
      readPackages({ baseUrl, version: '1.2.0', packageName: published, sandbox: false }, DIST),
    )
    expect(hosts).toContain(`npx -y ${published} mcp --url ${baseUrl}`)
    expect(hosts).toContain(`published on npm as \`${published}\``)
    expect(hosts).not.toContain('sha512-')
  })

  test('is not promised by a service that was not packed', () => {
    const packages = readPackages({ baseUrl, version: '9.9.9', packageName: null, sandbox: false }, DIST)
    expect(packages.files).toEqual([])
    expect(commandLine(packages)).toBeUndefined()
    const hosts = hostsOf(packages)
    expect(hosts).toContain(`-- node FOLDER/bin/format-checker.js mcp --url ${baseUrl}`)
    expect(hosts).toMatch(/"command": "node",\s+"args": \["FOLDER\/bin\/format-checker\.js", "mcp", "--url"/)
    expect(hosts).not.toContain('.tgz')
    expect(hosts).not.toContain(ROOT)
  })

  test('is started from any folder by its path, on the machine of a sandbox that was not packed', async () => {
    const packages = readPackages({ baseUrl, version: '9.9.9', packageName: null, sandbox: true }, DIST)
    const { line, file } = mcpHosts({ baseUrl, packages })
    expect(line).toContain(`-- node ${ROOT}/bin/format-checker.js mcp --url ${baseUrl}`)
    const { command, args } = JSON.parse(file).mcpServers['format-checker']
    expect([command, ...args]).toEqual(['node', `${ROOT}/bin/format-checker.js`, 'mcp', '--url', baseUrl])
    expect(hostsOf(packages)).toContain(`"args": ["${ROOT}/bin/format-checker.js", "mcp"`)
  })

  test('is quoted for a shell where its path has a space', () => {
    expect(shellLine(['node', '/home/a b/format-checker.js', 'mcp'])).toBe(
      'node "/home/a b/format-checker.js" mcp',
    )
  })

  test('is looked for again after each pack', async () => {
    const digests = join(scratch.path, 'SHA256SUMS')
    const packed = Promise.withResolvers<void>()
    const stop = onPacked(packed.resolve, digests)
    // The first look may come after the first of them.
    const packing = setInterval(() => writeFileSync(digests, `${Math.random()}`), 100)
    await packed.promise
    clearInterval(packing)
    stop()
  })
})

describe('the links of hosts', () => {
  test('name the pinned command, the address of the service and the file of the key', () => {
    writeFileSync(join(scratch.path, 'format-checker-1.3.0.tgz'), BODY)
    writeFileSync(join(scratch.path, 'format-checker-1.3.0.mcpb'), BODY)
    const packages = readPackages({ baseUrl, version: '1.3.0', packageName: null, sandbox: false }, DIST)
    const [desktop, cursor, vscode] = mcpHosts({ baseUrl, packages }).links
    expect(desktop?.url).toBe(`${baseUrl}/format-checker-1.3.0.mcpb`)
    const entry = {
      command: 'npx',
      args: ['-y', `${baseUrl}/format-checker-1.3.0.tgz`, 'mcp', '--url', baseUrl],
      // biome-ignore lint/suspicious/noTemplateCurlyInString: as the hosts read it
      env: { BUYER_PRIVATE_KEY_FILE: '${userHome}/.config/format-checker/key' },
    }
    const config = new URL(cursor?.url ?? '').searchParams.get('config') ?? ''
    expect(JSON.parse(Buffer.from(config, 'base64').toString())).toEqual(entry)
    const given = decodeURIComponent(new URL(vscode?.url ?? '').search.slice(1))
    expect(JSON.parse(given)).toEqual({ name: 'format-checker', ...entry })
    for (const { url } of mcpHosts({ baseUrl, packages }).links)
      expect(hostsOf(packages)).toContain(`](${url})`)
  })

  test('are not given by a service that was not packed', () => {
    const packages = readPackages({ baseUrl, version: '9.9.9', packageName: null, sandbox: false }, DIST)
    expect(mcpHosts({ baseUrl, packages }).links).toEqual([])
    expect(hostsOf(packages)).toContain('have links on the page of a service that was packed')
  })

  test('promise the limit that the command has', () => {
    expect(COMMANDS.mcp.options['max-spend']).toMatchObject({ default: '1' })
    const packages = readPackages({ baseUrl, version: '1.2.0', packageName: null, sandbox: false }, DIST)
    expect(mcpHosts({ baseUrl, packages }).words).toContain('at most a dollar a day')
  })
})

test('no guide runs a package of an unscoped name', () => {
  const guides = readGuides({ baseUrl, sandbox: false })
  for (const { name, markdown } of guides)
    expect(markdown, name).not.toMatch(
      /npx (?:-y )?(?:--yes )?format-checker|npm (?:i|install) (?:-g |--global )?format-checker/,
    )
})
