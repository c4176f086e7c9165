import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { StartupError } from '../../../src/catalog/startup-error.ts'
import { explainStartupError } from '../../../src/main/explain-startup-error.ts'
import { startAnvil } from '../../../src/sandbox/chain/anvil.ts'
import { callRpc } from '../../../src/sandbox/chain/json-rpc.ts'
import { startSandbox } from '../../../src/sandbox/sandbox.ts'
import { anvilBinary } from '../../support/chain-backends.ts'
import { eventually } from '../../support/eventually.ts'
import { LACKS } from '../../support/platform.ts'

const RUNNER = fileURLToPath(new URL('./run-chain.ts', import.meta.url))

interface Running {
  readonly process: ChildProcess
  readonly anvilPid: number
  readonly rpcUrl: string
  readonly chainName: string
  readonly payTo: `0x${string}`
}

describe('the anvil the sandbox starts', () => {
  let dataDir: string
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'format-checker-test-'))
  })
  afterEach(() => rm(dataDir, { recursive: true, force: true }))

  const anvilPid = () => Number(readFileSync(join(dataDir, 'chain-running'), 'utf8'))

  const run = async (ending?: string): Promise<Running> => {
    const args = [RUNNER, dataDir, ...(ending === undefined ? [] : [ending])]
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] })
    const [line] = await once(createInterface({ input: child.stdout }), 'line')
    // When it ends at once, its anvil may already have removed the file.
    const pid = ending === undefined ? anvilPid() : Number.NaN
    return { process: child, anvilPid: pid, ...JSON.parse(line) }
  }

  test('is reached on loopback alone, with fresh time and no accounts of its own', async () => {
    const anvil = await startAnvil({ binary: anvilBinary() })
    expect(anvil.rpcUrl).toMatch(/^http:\/\/127(\.\d+){3}:\d+$/)
    expect(await callRpc(anvil.rpcUrl, 'eth_chainId')).toBe('0x2105')
    expect(await callRpc(anvil.rpcUrl, 'eth_accounts')).toEqual([])
    await anvil.stop()
    await gone(anvil.pid)
    await expect(callRpc(anvil.rpcUrl, 'eth_chainId')).rejects.toThrow()
  })

  test('is asked by a page to fetch an address, and reaches none', async () => {
    let requests = 0
    const server = createServer((socket) => {
      requests += 1
      socket.destroy()
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const anvil = await startAnvil({ binary: anvilBinary() })
    const asPage = {
      Host: 'page.example',
      Origin: 'https://page.example',
      'Content-Type': 'application/json',
    }
    for (const address of [
      `http://127.0.0.1:${port}`,
      `http://localhost:${port}`,
      `https://127.0.0.1:${port}`,
    ]) {
      const params = [{ forking: { jsonRpcUrl: `${address}/secret` } }]
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'anvil_reset', params })
      const answer = await fetch(anvil.rpcUrl, { method: 'POST', headers: asPage, body })
      expect(await answer.text()).toContain('error sending request')
    }
    await anvil.stop()
    server.close()
    expect(requests).toBe(0)
  })

  test.skipIf(LACKS.proc)('knows nothing of the service’s environment', async () => {
    vi.stubEnv('BUYER_PRIVATE_KEY', 'CANARY')
    vi.stubEnv('http_proxy', '')
    const anvil = await startAnvil({ binary: anvilBinary() })
    vi.unstubAllEnvs()
    const variables = readFileSync(`/proc/${anvil.pid}/environ`, 'utf8').split('\0').filter(Boolean)
    await anvil.stop()
    expect(variables.map((line) => line.split('=')[0]).toSorted()).toEqual([
      'ALL_PROXY',
      'HOME',
      'HTTPS_PROXY',
      'HTTP_PROXY',
      'NO_PROXY',
    ])
  })

  test.each([
    ['/bin/false', 'no output'],
    ['/nowhere/anvil', 'spawn /nowhere/anvil ENOENT'],
  ])('says why in one line when it does not start: %s', async (binary, why) => {
    const fault = await startAnvil({ binary, dataDir }).catch((error: Error) => error)
    expect(fault).toBeInstanceOf(StartupError)
    expect(explainStartupError(fault)).toBe(
      `anvil, the chain of the sandbox, did not start (${why}); start again, with an empty DATA_DIR if it fails again`,
    )
  })

  test.each([
    'SIGKILL',
    'SIGTERM',
    'SIGINT',
  ] as const)('goes with a service that gets %s, and saves the chain', async (signal) => {
    const running = await run()
    running.process.kill(signal)
    await once(running.process, 'exit')
    await gone(running.anvilPid)

    const again = await startSandbox({ dataDir })
    const found = [again.chainName, await again.chainReader.balance(running.payTo)]
    await again.stop()
    expect(found).toEqual([running.chainName, 7n])
  })

  test.each(['throw', 'exit'])('goes with a service that ends by %s', async (ending) => {
    const running = await run(ending)
    await refused(running.rpcUrl)
    await orderlyEnd()
  })

  test('leaves nothing running or locked after stop, and no block is lost', async () => {
    const first = await startSandbox({ dataDir })
    const pid = anvilPid()
    await first.fund(first.payTo, 5n)
    await first.stop()
    await gone(pid)
    expect(existsSync(join(dataDir, 'chain-running'))).toBe(false)

    const second = await startSandbox({ dataDir })
    const same = [
      second.chainName,
      second.payTo,
      second.buyer.address,
      await second.chainReader.balance(first.payTo),
    ]
    await second.stop()
    expect(same).toEqual([first.chainName, first.payTo, first.buyer.address, 5n])
  })

  test('a chain that was not saved in order is started again under another name', async () => {
    const lines: string[] = []
    const first = await startSandbox({ dataDir, log: (line) => lines.push(line) })
    const pid = anvilPid()
    await first.fund(first.payTo, 5n)
    process.kill(pid, 'SIGKILL')
    await gone(pid)
    await refused(first.rpcUrl ?? '')
    await expect.poll(() => lines.join()).toContain('ended unexpectedly')
    await first.stop()

    const second = await startSandbox({ dataDir })
    const [name, balance] = [second.chainName, await second.chainReader.balance(first.payTo)]
    await second.stop()
    expect(name).not.toBe(first.chainName)
    expect(balance).toBe(0n)
  })

  test('the process id of another program in the file locks no one out', async () => {
    writeFileSync(join(dataDir, 'chain-running'), `${process.pid}\n`)
    const anvil = await startAnvil({ binary: anvilBinary(), dataDir })
    await anvil.stop()
  })

  test('of two that start on one directory at once only one gets it', async () => {
    const start = () => startAnvil({ binary: anvilBinary(), dataDir })
    const starts = [start(), start()]
    const first = await Promise.race(starts)
    await first.stop()
    // The other was waiting for the directory, and has it now.
    const outcomes = await Promise.all(starts)
    const pids = new Set(outcomes.map(({ pid }) => pid))
    await Promise.all(outcomes.map((anvil) => anvil.stop()))
    expect(pids.size).toBe(2)
  })

  test('a start that fails leaves the saved chain as it was', async () => {
    const first = await startSandbox({ dataDir })
    await first.stop()
    await expect(startAnvil({ binary: '/bin/false', dataDir })).rejects.toThrow(/anvil/)
    const second = await startSandbox({ dataDir })
    await second.stop()
    expect(second.chainName).toBe(first.chainName)
  })

  test('without a data directory nothing stays on disk', async () => {
    vi.stubEnv('TMPDIR', dataDir)
    const anvil = await startAnvil({ binary: anvilBinary() })
    vi.unstubAllEnvs()
    expect(await readdir(dataDir)).toHaveLength(1)
    await anvil.stop()
    expect(await readdir(dataDir)).toEqual([])
  })

  async function orderlyEnd(): Promise<void> {
    await until(() => !existsSync(join(dataDir, 'chain-running')))
  }
})

async function gone(pid: number): Promise<void> {
  await until(() => {
    try {
      process.kill(pid, 0)
      return false
    } catch {
      return true
    }
  })
}

async function refused(rpcUrl: string): Promise<void> {
  await until(() =>
    callRpc(rpcUrl, 'eth_chainId').then(
      () => false,
      () => true,
    ),
  )
}

/** Waits for something that has to happen. */
const until = (condition: () => boolean | Promise<boolean>) => eventually(condition).toBe(true)
