import { once } from 'node:events'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { HTTPFacilitatorClient } from '@x402/core/server'
import { ExactEvmScheme as ExactEvmClient } from '@x402/evm/exact/client'
import { ExactEvmScheme } from '@x402/evm/exact/server'
import { paymentMiddleware, x402ResourceServer } from '@x402/express'
import { wrapFetchWithPayment, x402Client } from '@x402/fetch'
import express from 'express'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { cureFor, findAnvil, type Machine } from '../../src/sandbox/chain/anvil-binary.ts'
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox.ts'

describe('the sandbox', () => {
  let sandbox: Sandbox
  beforeAll(async () => {
    sandbox = await startSandbox()
  })
  afterAll(() => sandbox.stop())

  test('says what it is made of', () => {
    expect(sandbox.chainId).toBe(8453)
    expect(sandbox.token).toBe('0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913')
    expect(sandbox.facilitatorUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    expect(sandbox.rpcUrl).toMatch(/^http:\/\/127(?:\.\d+){3}:\d+$/)
    expect(privateKeyToAccount(sandbox.buyer.privateKey).address).toBe(sandbox.buyer.address)
    expect(sandbox.payTo).not.toBe(sandbox.buyer.address)
  })

  test('gives the buyer a thousand dollars, and more on request', async () => {
    expect(await sandbox.chainReader.balance(sandbox.buyer.address)).toBe(1_000_000_000n)
    await sandbox.fund(sandbox.payTo, 5n)
    expect(await sandbox.chainReader.balance(sandbox.payTo)).toBe(5n)
  })

  test('a stock resource server and a stock client trade over it', async () => {
    const resourceServer = new x402ResourceServer(new HTTPFacilitatorClient({ url: sandbox.facilitatorUrl }))
    resourceServer.register('eip155:8453', new ExactEvmScheme())
    const accepts = {
      scheme: 'exact',
      payTo: sandbox.payTo,
      price: '$0.001',
      network: 'eip155:8453',
    } as const
    const app = express()
    app.use(paymentMiddleware({ 'GET /thing': { accepts } }, resourceServer))
    app.get('/thing', (_request, response) => void response.json({ sold: true }))
    const server = app.listen(0, '127.0.0.1')
    await once(server, 'listening')

    const account = privateKeyToAccount(sandbox.buyer.privateKey)
    const pay = wrapFetchWithPayment(
      fetch,
      new x402Client().register('eip155:*', new ExactEvmClient(account)),
    )
    const before = await sandbox.chainReader.balance(sandbox.payTo)
    const response = await pay(`http://127.0.0.1:${(server.address() as AddressInfo).port}/thing`)
    expect([response.status, await response.json()]).toEqual([200, { sold: true }])
    expect(await sandbox.chainReader.balance(sandbox.payTo)).toBe(before + 1000n)
    server.close()
    server.closeAllConnections()
  })

  test('time goes on without payments', async () => {
    const begun = Math.floor(Date.now() / 1000)
    const timestamp = async () => (await sandbox.chainReader.head()).timestamp
    await expect.poll(timestamp).toBeGreaterThanOrEqual(begun)
    expect((await timestamp()) - Date.now() / 1000).toBeLessThan(5)
  })
})

describe('the keys of a sandbox', () => {
  let dataDir: string
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'format-checker-test-'))
  })
  afterEach(() => rm(dataDir, { recursive: true, force: true }))

  const parties = async (directory?: string) => {
    const sandbox = await startSandbox(directory === undefined ? {} : { dataDir: directory })
    await sandbox.stop()
    return { buyer: sandbox.buyer.address, payTo: sandbox.payTo, chainName: sandbox.chainName }
  }

  test('stay with their directory, in a file for its owner alone', async () => {
    const first = await parties(dataDir)
    const second = await parties(dataDir)
    expect([second.buyer, second.payTo]).toEqual([first.buyer, first.payTo])
    const file = join(dataDir, 'sandbox-keys.json')
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(new Set(Object.values(JSON.parse(await readFile(file, 'utf8')))).size).toBe(3)
  })

  test('are new every time without a directory, as is the chain', async () => {
    const [first, second] = [await parties(), await parties()]
    expect(new Set([first.buyer, second.buyer, first.payTo, second.payTo]).size).toBe(4)
    expect(first.chainName).not.toBe(second.chainName)
  })

  test('that cannot be used stop the start with the name of the file', async () => {
    await writeFile(join(dataDir, 'sandbox-keys.json'), '{"buyer":"0x12"}')
    await expect(parties(dataDir)).rejects.toThrow('sandbox-keys.json')
  })
})

test('a machine where no anvil runs gets one line that says what to do', () => {
  expect(() => findAnvil([undefined, '/nowhere/anvil'])).toThrow(
    /^the sandbox needs anvil, .*: run "npm ci" on this machine .*, or put one on PATH \(https:\S+\)$/,
  )
})

test.each<[Machine, string]>([
  [{ platform: 'linux', arch: 'x64', isMusl: false }, 'run "npm ci" on this machine without --omit=optional'],
  [
    { platform: 'darwin', arch: 'arm64', isMusl: false },
    'run "npm ci" on this machine without --omit=optional',
  ],
  [{ platform: 'win32', arch: 'arm64', isMusl: false }, 'Foundry publishes none for win32 on arm64'],
  [{ platform: 'linux', arch: 'riscv64', isMusl: false }, 'Foundry publishes none for linux on riscv64'],
  [{ platform: 'linux', arch: 'x64', isMusl: true }, 'Foundry publishes none for a Linux without glibc'],
])('the way to an anvil is that of the machine: %o', (machine, words) => {
  expect(cureFor(machine)).toContain(words)
  expect(cureFor(machine)).toContain('put one on PATH (https://getfoundry.sh)')
})
