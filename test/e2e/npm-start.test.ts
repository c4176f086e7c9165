import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { privateKeyToAccount } from 'viem/accounts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type CommandOptions, MAIN, outcomeOf, processesNaming, ROOT, run } from '../support/command.ts'
import { eventually } from '../support/eventually.ts'
import { headerFor } from '../support/payment-header.ts'
import { LACKS } from '../support/platform.ts'
import { type ScratchDir, scratchDir, started, startProcess } from '../support/service-process.ts'
import { nodeCalled } from './old-node.ts'

let scratch: ScratchDir
beforeEach(() => {
  scratch = scratchDir()
})
afterEach(async () => {
  for (const pid of processesNaming(scratch.path)) endIfThere(pid)
  await expect.poll(() => processesNaming(scratch.path)).toEqual([])
  scratch.remove()
})

/** It may end between the list and the signal. */
function endIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

describe('on which Node it runs', () => {
  const linked = () => join(scratch.path, 'node_modules/.bin/node')
  beforeEach(() => {
    for (const path of ['package.json', '.npmrc', 'bin/package.json', 'bin/check-node.js'])
      cpSync(join(ROOT, path), join(scratch.path, path), { recursive: true })
    mkdirSync(join(scratch.path, 'src'))
    mkdirSync(join(scratch.path, 'node_modules/.bin'), { recursive: true })
    writeMain(0)
  })

  /** A service that notes each of its starts and ends at once. */
  const writeMain = (code: number) =>
    writeFileSync(
      join(scratch.path, 'src/main.ts'),
      `import { appendFileSync } from 'node:fs'\nappendFileSync('starts', 'x')\nprocess.exit(${code})\n`,
    )
  const starts = () => {
    const file = join(scratch.path, 'starts')
    return existsSync(file) ? readFileSync(file, 'utf8').length : 0
  }
  /** The one that npm brings, on a machine without a library that it needs. */
  const breakNode = () => {
    writeFileSync(
      linked(),
      '#!/bin/sh\necho "node: libatomic.so.1: cannot open shared object file" >&2\nexit 127\n',
    )
    chmodSync(linked(), 0o755)
  }
  const npm = async (args: readonly string[], options: CommandOptions = {}) => {
    const { code, stderr } = await outcomeOf(['--prefix', scratch.path, ...args], {
      program: 'npm',
      ...options,
    })
    return { code, stderr: stderr.filter((line) => !line.startsWith('npm error')) }
  }
  /** npm and what it starts say that they are an old Node. */
  const old = {
    env: { NODE_OPTIONS: nodeCalled('20.20.2').args.join(' ').replace('--import ', '--import=') },
  }

  test('the user’s, where the one that npm brought does not run', async () => {
    breakNode()
    const { code, stderr } = await npm(['start'])
    expect([code, starts(), existsSync(linked())]).toEqual([0, 1, false])
    expect(stderr).toEqual([
      expect.stringContaining('libatomic'),
      expect.stringMatching(
        /^the Node of node_modules does not run here \(.*libatomic.*\); yours, [\d.]+, is used$/,
      ),
    ])
    expect(await npm(['start'])).toEqual({ code: 0, stderr: [] })
  })

  test('the user’s for every command, from the installation on', async () => {
    breakNode()
    const { code } = await npm(['run', 'postinstall'])
    expect([code, existsSync(linked())]).toEqual([0, false])
  })

  test('none, where the user’s is too old as well: one line says what to install', async () => {
    breakNode()
    const { code, stderr } = await npm(['start'], old)
    expect([code, starts(), existsSync(linked())]).toEqual([1, 0, true])
    expect(stderr.at(-1)).toMatch(/yours is 20\.20\.2: install .*libatomic1.*, or Node 22\.18 or newer$/)
  })

  test('none without the packages for development on an old one: one line says which is needed', async () => {
    const { code, stderr } = await npm(['start'], old)
    expect([code, starts()]).toEqual([1, 0])
    expect(stderr).toEqual([
      'format-checker needs Node 22.18 or newer, and this is 20.20.2; "npm ci" without --omit=dev brings one',
    ])
  })

  test('a service that ends with a fault is not started again', async () => {
    writeMain(3)
    expect(await npm(['start'])).toEqual({ code: 3, stderr: [] })
    expect(starts()).toBe(1)
  })
})

describe.skipIf(LACKS.proc)('a stop', () => {
  const childOf = (pid: number) =>
    Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')[0])

  test.each([
    'npm',
    'its shell',
    'the service',
    'the terminal',
  ])('of %s leaves no process and loses no sale', async (which) => {
    const env = { PORT: '0', TMPDIR: scratch.path, DATA_DIR: `${scratch.path}/data`, HOME: scratch.path }
    const options = { env: { ...env, LOG_LEVEL: 'warn' }, group: true }
    const first =
      which === 'the terminal'
        ? run(['-qefc', 'npm start', '/dev/null'], { program: 'script', ...options })
        : run(['start'], { program: 'npm', ...options })
    const { url, facts } = await started(first)
    const request = {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'PAYMENT-SIGNATURE': await headerFor(privateKeyToAccount(facts.buyer.privateKey), facts.payTo),
      },
      body: '{"value":"526-025-02-74"}',
    }
    const sold = await (await fetch(`${url}/api/validate/pl-nip`, request)).text()
    const root = first.child.pid as number
    if (which === 'the terminal') process.kill(root, 'SIGKILL')
    else {
      const shell = childOf(root)
      process.kill(which === 'npm' ? root : which === 'its shell' ? shell : childOf(shell), 'SIGTERM')
    }
    await eventually(() => processesNaming(scratch.path)).toEqual([])
    await eventually(() =>
      fetch(`${url}/healthz`).then(
        () => true,
        () => false,
      ),
    ).toBe(false)

    const again = startProcess(scratch.path, { ...env, PORT: new URL(url).port })
    await started(again)
    const repeated = await fetch(`${url}/api/validate/pl-nip`, request)
    expect(repeated.headers.get('payment-replayed')).toBe('true')
    expect(await repeated.text()).toBe(sold)
    again.child.kill('SIGTERM')
    await again.ended
  })

  test.each<[string, Record<string, string>]>([
    ['by hand', {}],
    [
      'below the start of another package',
      { npm_lifecycle_event: 'start', npm_package_json: '/elsewhere/package.json' },
    ],
    [
      'below another command of this package',
      { npm_lifecycle_event: 'dev', npm_package_json: join(ROOT, 'package.json') },
    ],
  ])('of the parent does not end a service started %s', async (_how, env) => {
    const parent = run(['-c', '"$0" "$1" & echo "pid $!"; wait', process.execPath, MAIN], {
      program: 'sh',
      env: { PORT: '0', TMPDIR: scratch.path, LOG_LEVEL: 'warn', ...env },
    })
    const [, pid = ''] = await parent.line(/^pid (\d+)$/)
    const { url, facts } = await started(parent)
    parent.child.kill('SIGKILL')
    const parentOf = () => /^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    await eventually(parentOf).not.toBe(String(parent.child.pid))
    // Six times as long as a service of `npm start` takes to look.
    await new Promise((resolve) => setTimeout(resolve, 3_000))
    const sold = await fetch(`${url}/api/validate/pl-nip`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'PAYMENT-SIGNATURE': await headerFor(privateKeyToAccount(facts.buyer.privateKey), facts.payTo),
      },
      body: '{"value":"526-025-02-74"}',
    })
    expect(sold.status).toBe(200)
    process.kill(Number(pid), 'SIGTERM')
  })
})
