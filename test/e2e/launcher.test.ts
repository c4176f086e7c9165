import { chmodSync, copyFileSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CHECKS } from 'format-checker-checks/internal/checks'
import { CHECK_TYPES } from 'format-checker-checks/verdict'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { BUYER_COMMANDS, COMMAND_NAMES } from '../../src/command-line/commands.ts'
import { renderProgramHelp } from '../../src/command-line/help.ts'
import { TAUGHT_FORM } from '../../src/command-line/taught-form.ts'
import { outcomeOf, processesNaming, ROOT, run } from '../support/command.ts'
import { validValue } from '../support/identifiers.ts'
import { LACKS } from '../support/platform.ts'
import { startTestService, type TestService } from '../support/sandbox-service.ts'
import { type ScratchDir, scratchDir, started } from '../support/service-process.ts'
import { nodeCalled, oldNode } from './old-node.ts'

const LAUNCHER = join(ROOT, 'bin/format-checker.js')
const CLI = join(ROOT, 'packages/command/src/cli.ts')
const CANARY = 'CANARY-4f1d-8e20'

let service: TestService
beforeAll(async () => {
  service = await startTestService({ CHANNELS: 'on' })
})
afterAll(() => service.stop())

/** The launcher on this machine's old Node, with an environment of nothing. */
const { program, args: before } = oldNode()
const format = (args: readonly string[], options: { input?: string; env?: Record<string, string> } = {}) =>
  outcomeOf([...before, LAUNCHER, ...args], { program, ...options })

/** The same program without the launcher. */
const command = (args: readonly string[], options: { input?: string; env?: Record<string, string> } = {}) =>
  outcomeOf([CLI, ...args], options)

describe('on which Node it runs', () => {
  let scratch: ScratchDir
  beforeEach(() => {
    scratch = scratchDir()
    for (const directory of ['bin', 'packages/command/src', 'node_modules/node/bin']) {
      mkdirSync(join(scratch.path, directory), { recursive: true })
    }
    for (const path of ['bin/format-checker.js', 'bin/package.json', 'package.json'])
      copyFileSync(join(ROOT, path), join(scratch.path, path))
    writeFileSync(
      join(scratch.path, 'packages/command/src/cli.ts'),
      `console.log('this one', ...process.argv.slice(2))`,
    )
  })
  afterEach(() => scratch.remove())

  const launch = (version: string) => {
    const node = nodeCalled(version)
    return outcomeOf([...node.args, join(scratch.path, 'bin/format-checker.js'), 'try', 'a b'], node)
  }
  const bringNode = () => {
    const pinned = join(scratch.path, 'node_modules/node/bin/node')
    writeFileSync(pinned, '#!/bin/sh\nshift\necho the pinned one "$@"\nexit 7\n')
    chmodSync(pinned, 0o755)
  }

  test.each([
    '18.20.8',
    '20.20.2',
    '21.7.3',
    '22.17.1',
    '9.0.0',
  ])('%s: on the one that npm brought', async (version) => {
    bringNode()
    expect(await launch(version)).toMatchObject({ code: 7, stdout: ['the pinned one try a b'], stderr: [] })
  })

  test.each(['22.18.0', '22.20.0', '23.0.0', '24.21.0', '100.0.0'])('%s: on that one', async (version) => {
    bringNode()
    expect(await launch(version)).toMatchObject({ code: 0, stdout: ['this one try a b'] })
  })

  test.each([
    '--version',
    '-V',
    '--help',
    '-h',
    'help',
  ])('version and help are said on an old one, without another program: %s', async (name) => {
    // In the folder is neither the command nor a newer Node.
    copyFileSync(join(ROOT, 'bin/help.txt'), join(scratch.path, 'bin/help.txt'))
    rmSync(join(scratch.path, 'packages'), { recursive: true })
    const node = nodeCalled('20.20.2')
    const { code, stdout, stderr } = await outcomeOf(
      [...node.args, join(scratch.path, 'bin/format-checker.js'), name],
      node,
    )
    expect([code, stderr]).toEqual([0, []])
    expect(stdout[0]).toMatch(/^format-checker: |^\d+\.\d+\.\d+$/)
  })

  test('an old one, and none that npm brought: it says what to do in one line', async () => {
    const { code, stdout, stderr } = await launch('20.20.2')
    expect([code, stdout, stderr]).toEqual([1, [], [expect.stringMatching(/22\.18 or newer.*npm ci/)]])
  })
})

describe('what is typed first', () => {
  // Every form of the command that documents, banners and errors teach for a clone.
  const taught = new Set(
    globSync(['README.md', 'docs/**/*.md', 'src/**/*.ts', 'packages/*/src/**/*.ts'], { cwd: ROOT }).flatMap(
      (path) =>
        readFileSync(join(ROOT, path), 'utf8').match(/(?:npx|npm exec)[^\n`"']*? format-checker\b/g) ?? [],
    ),
  )

  test('one form is taught, and it works', async () => {
    expect([...taught]).toEqual([TAUGHT_FORM])
    const [program = '', ...args] = `${TAUGHT_FORM} --help`.split(' ')
    const { code, stdout, stderr } = await outcomeOf(args, { program })
    expect([code, stderr]).toEqual([0, []])
    expect(stdout.join('\n')).toBe(renderProgramHelp(COMMAND_NAMES))
  })

  test('the launcher knows the commands of the buyer’s program', () => {
    const [, list = ''] = /BUYER_COMMANDS = \[(.*)\]/.exec(readFileSync(LAUNCHER, 'utf8')) ?? []
    expect(list.replaceAll("'", '').split(', ')).toEqual(BUYER_COMMANDS)
  })
})

describe('buy', () => {
  test('buys a check with the sandbox’s own buyer, for exactly its price', async () => {
    const books = await service.books()
    const { code, stdout, stderr } = await format([
      'buy',
      'iban',
      'GB82 WEST 1234 5698 7654 32',
      '--url',
      service.url,
    ])
    expect(stderr).toEqual([])
    expect(code).toBe(0)
    expect(stdout[0]).toMatch(/^valid GB/)
    expect(stdout).toContain('paid 0.001 USDC')
    expect(stdout.at(-1)).toMatch(/^transaction 0x[0-9a-f]{64}$/)
    expect(await service.books()).toEqual({
      rows: books.rows + 1,
      buyer: books.buyer - 1000n,
      payee: books.payee + 1000n,
    })
  })

  test('an invalid identifier is a result, with 0 as the exit code', async () => {
    const { code, stdout } = await format(['buy', 'pl-nip', '1234567890', '--url', service.url])
    expect([code, stdout[0]?.split(' ')[0]]).toEqual([0, 'invalid'])
  })

  test('the key in the environment pays, as long as it has money', async () => {
    const key = generatePrivateKey()
    const { address } = privateKeyToAccount(key)
    await service.sandbox.fund(address, 1_500n)
    const env = { BUYER_PRIVATE_KEY: key }
    expect(await format(['buy', 'iban', 'x', '--url', service.url], { env })).toMatchObject({ code: 0 })
    expect(await service.balance(address)).toBe(500n)

    const broke = await format(['buy', 'iban', 'y', '--url', service.url], { env })
    expect(broke.code).toBe(1)
    expect(broke.stderr[0]).toMatch(/^payment_insufficient_funds: /)
    expect(await service.balance(address)).toBe(500n)
  })

  test('an unreachable service: its address, and nothing was signed', async () => {
    const env = { BUYER_PRIVATE_KEY: `0x${'11'.repeat(32)}` }
    const { code, stderr } = await format(['buy', 'iban', 'x', '--url', 'http://127.0.0.1:1'], { env })
    expect([code, stderr]).toEqual([1, ['No readable answer from http://127.0.0.1:1/. Nothing was signed.']])
  })
})

describe('try', () => {
  test('runs a check here, and prints its result', async () => {
    const { code, stdout } = await command(['try', 'pl-nip', '526-025-02-74'])
    expect(code).toBe(0)
    expect(JSON.parse(stdout.join('\n'))).toEqual(CHECKS['pl-nip']('526-025-02-74'))
  })

  test('with "-" gives a result for each of 2,000 lines, in their order', async () => {
    const values = Array.from({ length: 2_000 }, (_, seed) =>
      validValue(seed % 3 === 0 ? 'iban' : 'pl-nip', seed),
    )
    const input = values.map((value) => `${JSON.stringify(value)}\n`).join('')
    const { code, stdout, stderr } = await command(['try', 'iban', '-'], { input })
    expect([code, stderr]).toEqual([0, []])
    expect(stdout).toEqual(values.map((value) => JSON.stringify(CHECKS.iban(value))))
  })

  test('says which lines are not values', async () => {
    const input = [
      '"DE89370400440532013000"',
      'no json',
      '5',
      `"${'x'.repeat(513)}"`,
      '"\\ud800"',
      '""',
    ].join('\n')
    const { code, stdout } = await command(['try', 'iban', '-'], { input })
    expect(code).toBe(1)
    expect(stdout.map((line) => JSON.parse(line)).map((answer) => answer.code ?? answer.valid)).toEqual([
      true,
      'not_json',
      'value_not_string',
      'value_too_long',
      'value_not_unicode',
      false,
    ])
  })

  test('a closed pipe ends it quietly', async () => {
    const input = `${JSON.stringify('DE89370400440532013000')}\n`.repeat(20_000)
    const { child, ended, stderr } = run([CLI, 'try', 'iban', '-'], { input })
    child.stdout?.once('data', () => child.stdout?.destroy())
    await ended
    expect(stderr).toEqual([])
  })
})

describe('wrong usage', () => {
  test.each<[string, string[]]>([
    ['no command', []],
    ['an unknown command', [CANARY]],
    ['a command from the prototype', ['constructor']],
    ['an unknown type', ['try', 'us-ssn', CANARY]],
    ['no value', ['try', 'iban']],
    ['two values', ['try', 'iban', CANARY, CANARY]],
    ['an unknown type to buy', ['buy', CANARY, CANARY]],
    ['two values to buy', ['buy', 'iban', CANARY, CANARY]],
    ['an unknown option', ['buy', 'iban', CANARY, `--${CANARY}`]],
    ['an option without its value', ['buy', 'iban', CANARY, '--url']],
    ['an unknown surface', ['buy', 'iban', CANARY, '--surface', CANARY]],
    ['a value and a file', ['buy', 'iban', CANARY, '--file', CANARY]],
    ['neither value nor file', ['buy', 'iban']],
    ['an empty value', ['buy', 'iban', '']],
    ['a value for serve', ['serve', CANARY]],
    ['an option of serve', ['serve', `--${CANARY}`]],
    ['help of an unknown command', ['help', CANARY]],
    ['a malformed URL', ['buy', 'iban', CANARY, '--url', CANARY]],
    ['a URL that is not a web address', ['buy', 'iban', CANARY, '--url', `mailto:${CANARY}`]],
    ['a password for the service', ['buy', 'iban', 'x', '--url', `http://user:${CANARY}@127.0.0.1:1/`]],
    ['a user of the service', ['refund', '--url', `http://${CANARY}@127.0.0.1:1/`]],
    ['a password for the service of a host', ['mcp', '--url', `http://:${CANARY}@127.0.0.1:1/`]],
    ['a malformed price', ['buy', 'iban', CANARY, '--url', 'http://127.0.0.1:1', '--max-price', CANARY]],
  ])('%s: exit code 2, and nothing typed is repeated', async (_what, args) => {
    const { code, stdout, stderr } = await command(args)
    expect(code).toBe(2)
    expect([...stdout, ...stderr].join('\n')).not.toContain(CANARY)
    expect(stderr.length + stdout.length).toBeGreaterThan(0)
  })

  test('a missing file: exit code 2, and the file is named', async () => {
    const { code, stderr } = await command(['buy', 'iban', '--file', 'none.csv', '--dry-run'])
    expect([code, stderr.slice(0, 2)]).toEqual([
      2,
      [
        'format-checker: none.csv: the list cannot be read (ENOENT)',
        `Usage: ${TAUGHT_FORM} buy TYPE --file FILE [options]`,
      ],
    ])
  })

  test.each([
    ['a value', ['buy', 'iban', CANARY]],
    ['a list', ['buy', 'iban', '--file', join(ROOT, 'package.json')]],
    ['a refund', ['refund']],
  ])('a service that does not answer is named, and no value: %s', async (_what, args) => {
    const { code, stdout, stderr } = await command([...args, '--url', `http://127.0.0.1:1/?key=${CANARY}`])
    expect([code, stdout]).toEqual([1, []])
    expect(stderr.join('\n')).toContain('no answer from http://127.0.0.1:1/')
    expect(stderr.join('\n')).not.toContain(CANARY)
  })

  test('a malformed key is not repeated either', async () => {
    const { code, stdout, stderr } = await command(['buy', 'iban', 'x'], {
      env: { BUYER_PRIVATE_KEY: CANARY },
    })
    expect([code, [...stdout, ...stderr].join('\n').includes(CANARY)]).toEqual([2, false])
  })

  test.each([
    ['help', 'buy'],
    ['buy', '--help'],
    ['buy', '-h'],
  ])('%s %s prints the help, in 80 columns', async (...args) => {
    const { code, stdout } = await command(args)
    expect(code).toBe(0)
    for (const line of stdout) expect(line.length).toBeLessThanOrEqual(80)
    for (const type of CHECK_TYPES) expect(stdout.join('\n')).toContain(type)
  })

  test.each([['help'], ['--help']])('%s prints the commands', async (name) => {
    const { code, stdout } = await command([name])
    expect([code, stdout[0]]).toEqual([0, expect.stringMatching(/^format-checker: /)])
  })

  test.each([
    ['--version'],
    ['buy', '--version'],
    ['verify', 'x', '--version'],
  ])('%s %s prints the version of the package', async (...args) => {
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }
    expect(await command(args)).toMatchObject({ code: 0, stdout: [version] })
  })
})

describe('serve', () => {
  test.skipIf(LACKS.signals).each(['SIGTERM', 'SIGINT', 'SIGKILL'] as const)(
    'behind the launcher ends with it on %s',
    async (signal) => {
      const scratch = scratchDir()
      const launched = run([...before, LAUNCHER, 'serve'], {
        program,
        env: { PORT: '0', TMPDIR: scratch.path, LOG_LEVEL: 'warn' },
      })
      const { url } = await started(launched)
      launched.child.kill(signal)
      const { code } = await launched.ended
      expect(code).toBe(signal === 'SIGKILL' ? null : 0)
      await expect.poll(() => processesNaming(scratch.path)).toEqual([])
      await expect(fetch(`${url}/healthz`)).rejects.toThrow()
      scratch.remove()
    },
  )
})
