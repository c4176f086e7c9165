import { randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { privateKeyToAccount } from 'viem/accounts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { outcomeOf, processesNaming, run } from '../support/command.ts'
import { headerFor } from '../support/payment-header.ts'
import { LACKS } from '../support/platform.ts'
import {
  type ScratchDir,
  type ServiceProcess,
  scratchDir,
  started,
  startProcess,
} from '../support/service-process.ts'
import { layUnreleasedStore, UNRELEASED } from '../support/unreleased-store.ts'
import { lookAtChain } from '../support/usdc-chain.ts'

let scratch: ScratchDir
const processes: ServiceProcess[] = []

beforeEach(() => {
  scratch = scratchDir()
})
afterEach(async () => {
  for (const { child, ended } of processes.splice(0)) {
    child.kill('SIGKILL')
    await ended
  }
  await expect.poll(() => processesNaming(scratch.path)).toEqual([])
  scratch.remove()
})

function start(env: Readonly<Record<string, string>> = {}, nodeArgs: readonly string[] = []) {
  const service = startProcess(scratch.path, env, nodeArgs)
  processes.push(service)
  return service
}

/** Nothing of the service is left: no process that was started for it, and no file. */
async function expectNothingLeft() {
  await expect.poll(() => processesNaming(scratch.path)).toEqual([])
  expect(readdirSync(scratch.path)).toEqual([])
}

describe('the start', () => {
  test('ends with a paid check: its verdict, and a transaction that moved its price and no more', async () => {
    // Express would write each target to standard error.
    const service = start({ DEBUG: '*' })
    const { url, verdict, transaction, facts } = await started(service)
    expect(verdict).toMatch(/^iban valid GB/)
    expect(service.stdout.at(-1)).toContain(transaction)
    expect(service.stdout.join('\n')).toContain('SANDBOX')

    const chain = lookAtChain(facts.rpcUrl ?? '')
    expect(await chain.transfers(transaction)).toEqual([
      { from: facts.buyer.address, to: facts.payTo, value: 1000n },
    ])
    expect(await chain.balance(facts.buyer.address)).toBe(1_000_000_000n - 1000n)
    expect(await chain.balance(facts.payTo)).toBe(1000n)

    const listed = await fetch(`${url}/api/types`)
    expect(listed.headers.get('x-sandbox')).toBe('true')
    expect(((await listed.json()) as { summary: string }).summary).toMatch(/^SANDBOX/)
    expect((await fetch(`${url}/readyz`)).status).toBe(200)

    service.child.kill('SIGTERM')
    expect(await service.ended).toEqual({ code: 0, signal: null })
    expect(service.stderr).toEqual([])
    await expectNothingLeft()
  })

  test.each([
    ['@owner/format-checker@0.0.1', /^PACKAGE: must name version \d+\.\d+\.\d+, that of this service/],
    ['format-checker@1.2.0', /^PACKAGE: must be a name of your scope with a version/],
  ])('refuses PACKAGE %s in one line', async (name, line) => {
    const { ended, stderr } = start({ PACKAGE: name })
    expect(await ended).toEqual({ code: 1, signal: null })
    expect(stderr).toHaveLength(1)
    expect(stderr[0]).toMatch(line)
  })

  test('asks no proxy of the surroundings for what is on this machine', async () => {
    const proxy = 'http://127.0.0.1:9'
    const service = start({ NODE_USE_ENV_PROXY: '1', HTTP_PROXY: proxy, no_proxy: 'localhost,127.0.0.1' })
    expect((await started(service)).verdict).toMatch(/^iban valid GB/)
    expect(service.stderr).toEqual([])
  })
})

describe('nothing is left', () => {
  test('after SIGINT', async () => {
    const service = start()
    await started(service)
    expect(processesNaming(scratch.path)).not.toEqual([])
    service.child.kill('SIGINT')
    expect(await service.ended).toEqual({ code: 0, signal: null })
    await expectNothingLeft()
  })

  test('after Ctrl-C in a terminal, where npm passes on what the service was told already', async () => {
    const dataDir = `${scratch.path}/data`
    const npm = run(['start'], {
      program: 'npm',
      env: { PORT: '0', TMPDIR: scratch.path, DATA_DIR: dataDir, HOME: scratch.path, LOG_LEVEL: 'warn' },
      group: true,
    })
    await started(npm)
    process.kill(-(npm.child.pid as number), 'SIGINT')
    await npm.ended
    await expect.poll(() => processesNaming(scratch.path)).toEqual([])
    // Closed in order: the chain is saved, and the store has nothing left to recover.
    const files = readdirSync(dataDir, { recursive: true })
    expect(files).toContain('chain-state.json')
    expect(files.filter((file) => String(file).endsWith('-wal'))).toEqual([])
  })

  test.skipIf(LACKS.signals)('after SIGTERM in the middle of the start', async () => {
    const service = start()
    await service.line(/SANDBOX/)
    service.child.kill('SIGTERM')
    expect(await service.ended).toEqual({ code: 0, signal: null })
    await expectNothingLeft()
  })

  test('after an uncaught defect, whose words are not repeated', async () => {
    const crash = `process.on('SIGUSR2', () => setImmediate(() => { throw new Error(['CANARY', '77'].join('-')) }))`
    const service = start({}, ['--import', `data:text/javascript,${encodeURIComponent(crash)}`])
    await started(service)
    service.child.kill('SIGUSR2')
    expect(await service.ended).toEqual({ code: 1, signal: null })
    expect([...service.stdout, ...service.stderr].join('\n')).not.toContain('CANARY-77')
    expect(service.stdout.at(-1)).toContain('"event":"crash"')
    await expectNothingLeft()
  })

  test.skipIf(LACKS.signals).each(['SIGKILL', 'SIGHUP'] as const)(
    'but files after %s: the chain leaves by itself',
    async (signal) => {
      const service = start()
      const { facts } = await started(service)
      expect(processesNaming(scratch.path)).not.toEqual([])
      service.child.kill(signal)
      expect(await service.ended).toEqual({ code: null, signal })
      await expect.poll(() => processesNaming(scratch.path)).toEqual([])
      await expect(fetch(facts.rpcUrl ?? '')).rejects.toThrow()
    },
  )
})

describe('a start that cannot be', () => {
  const refusal = (env: Readonly<Record<string, string>>) =>
    outcomeOf(['src/main.ts'], { env: { PORT: '0', TMPDIR: scratch.path, ...env } })

  test('says in one line that the port is taken', async () => {
    const other = createServer()
    const port = await new Promise<number>((resolve) =>
      other.listen(0, '127.0.0.1', () => resolve((other.address() as { port: number }).port)),
    )
    const { code, stderr, stdout } = await refusal({ PORT: String(port) })
    other.close()
    expect(code).toBe(1)
    expect(stderr).toEqual([expect.stringMatching(/^PORT: .*in use|^PORT: another program/)])
    expect(stdout).toEqual([])
    await expectNothingLeft()
  })

  test.each<[string, Record<string, string>, RegExp[]]>([
    ['the sandbox in production', { NODE_ENV: 'production' }, [/^NODE_ENV: production refuses the sandbox/]],
    [
      'a sandbox without a place for temporary files',
      { TMPDIR: '/nowhere' },
      [/^TMPDIR: .*ENOENT.*DATA_DIR/],
    ],
    [
      'live mode with two of its settings',
      { PAY_TO: `0x${'12'.repeat(20)}`, RPC_URL: 'http://127.0.0.1:1' },
      [/^BASE_URL: missing/, /^FACILITATOR_URL: missing/, /^DATA_DIR: missing/],
    ],
    ['a data directory that is a file', { DATA_DIR: '/dev/null/data' }, [/^DATA_DIR: /]],
  ])('refuses %s with one line per fault', async (_what, env, lines) => {
    const { code, stdout, stderr } = await refusal(env)
    expect(code).toBe(1)
    expect(stderr).toEqual(lines.map((line) => expect.stringMatching(line)))
    expect(stdout).toEqual([])
    await expectNothingLeft()
  })
})

test('a live start refuses a store from before the first release in one line', async () => {
  const dataDir = `${scratch.path}/unreleased`
  layUnreleasedStore(dataDir)
  const env = {
    ...{ PAY_TO: `0x${'12'.repeat(20)}`, BASE_URL: 'http://127.0.0.1:1', DATA_DIR: dataDir, PORT: '0' },
    ...{
      FACILITATOR_URL: 'http://127.0.0.1:1',
      RPC_URL: 'http://127.0.0.1:1',
      SECRET_KEY: randomBytes(32).toString('hex'),
    },
  }
  expect(await outcomeOf(['src/main.ts'], { env })).toMatchObject({ code: 1, stderr: [UNRELEASED] })
})

describe('a kept data directory', () => {
  test.skipIf(LACKS.signals).each(['SIGTERM', 'SIGKILL'] as const)(
    'answers an earlier sale after %s, and charges nothing for it',
    async (signal) => {
      const env = { DATA_DIR: `${scratch.path}/data` }
      const first = start(env)
      const { url, facts } = await started(first)
      const buyer = privateKeyToAccount(facts.buyer.privateKey)
      const request = {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          'PAYMENT-SIGNATURE': await headerFor(buyer, facts.payTo),
        },
        body: '{"value":"526-025-02-74"}',
      }
      const sold = await fetch(`${url}/api/validate/pl-nip`, request)
      expect(sold.status).toBe(200)
      first.child.kill(signal)
      await first.ended

      const again = await started(start({ ...env, PORT: new URL(url).port }))
      expect(again.facts.buyer).toEqual(facts.buyer)
      const chain = lookAtChain(again.facts.rpcUrl ?? '')
      // The first start's sale, the one above, and this start's.
      const balance = 1_000_000_000n - 3_000n
      expect(await chain.balance(facts.buyer.address)).toBe(balance)
      const replayed = await fetch(`${again.url}/api/validate/pl-nip`, request)
      expect(replayed.status).toBe(200)
      expect(replayed.headers.get('payment-replayed')).toBe('true')
      expect(replayed.headers.get('payment-response')).toBe(sold.headers.get('payment-response'))
      expect(await replayed.text()).toBe(await sold.text())
      expect(await chain.balance(facts.buyer.address)).toBe(balance)
    },
  )

  test('is refused to a second process in one line, and the first goes on', async () => {
    const env = { DATA_DIR: `${scratch.path}/data` }
    const first = start(env)
    const { url } = await started(first)
    const { code, stderr, stdout } = await outcomeOf(['src/main.ts'], { env: { PORT: '0', ...env } })
    expect(code).toBe(1)
    expect(stderr).toEqual([expect.stringContaining('DATA_DIR')])
    expect(stdout).toEqual([])
    expect((await fetch(`${url}/readyz`)).status).toBe(200)
  })
})
