/** `buy --channel` and `refund` as processes, killed while a payment is under way. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { statSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import Database from 'better-sqlite3'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CLI, outcomeOf } from '../support/command.ts'
import { listenOnLoopback } from '../support/loopback.ts'
import { LACKS } from '../support/platform.ts'
import { startTestService, type TestService } from '../support/sandbox-service.ts'
import { scratchDir } from '../support/service-process.ts'

const A = 'GB82 WEST 1234 5698 7654 32'
const B = 'DE89 3704 0044 0532 0130 00'

/** Where the next paying request kills its sender: before the service has it, or after the service has answered. */
type Death = 'before' | 'after'

let service: TestService
let front: Awaited<ReturnType<typeof startFront>>
beforeAll(async () => {
  service = await startTestService({ CHANNELS: 'on' })
  front = await startFront(service.url)
})
afterAll(async () => {
  await front.stop()
  await service.stop()
})

/** Passes requests on, and kills the process of the plan. */
async function startFront(target: string) {
  const plan: { victim?: ChildProcess; death?: Death } = {}
  const server = createServer((request, response) => {
    void relay(request, response).catch(() => response.destroy())
  })
  async function kill(response: ServerResponse): Promise<void> {
    const { victim } = plan
    delete plan.death
    if (victim === undefined) throw new Error('no process to kill')
    const gone = once(victim, 'exit')
    victim.kill('SIGKILL')
    await gone
    response.destroy()
  }
  async function relay(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request)
    const payment = request.headers['payment-signature']
    const death = payment === undefined ? undefined : plan.death
    if (death === 'before') return kill(response)
    const answer = await fetch(target + (request.url ?? ''), {
      method: request.method ?? 'GET',
      headers: {
        ...(payment === undefined ? {} : { 'payment-signature': String(payment) }),
        ...(body.length > 0 ? { 'content-type': 'application/json' } : {}),
      },
      ...(body.length > 0 ? { body } : {}),
    })
    const text = await answer.text()
    if (death === 'after') return kill(response)
    const headers = [
      'content-type',
      'payment-required',
      'payment-response',
      'payment-replayed',
      'retry-after',
    ]
    for (const name of headers) {
      const value = answer.headers.get(name)
      if (value !== null) response.setHeader(name, value)
    }
    response.writeHead(answer.status).end(text)
  }
  const listening = await listenOnLoopback(server)
  return {
    plan,
    ...listening,
  }
}

/** A buyer with a key and a file of its own. */
async function newBuyer() {
  const key = generatePrivateKey()
  const { address } = privateKeyToAccount(key)
  await service.sandbox.fund(address, 1_000_000n)
  const scratch = scratchDir()
  const file = join(scratch.path, 'channel.sqlite')
  const env = { BUYER_PRIVATE_KEY: key }
  const common = ['--url', front.url, '--channel-file', file, '--rpc-url', service.sandbox.rpcUrl ?? '']
  const run = (...args: readonly string[]) => outcomeOf([CLI, ...args, ...common], { env })
  const buy = async (value: string, ...args: readonly string[]) => {
    const { code, stdout, stderr } = await run('buy', 'iban', value, '--channel', '--json', ...args)
    return { code, stderr, ...(stdout.length === 0 ? {} : JSON.parse(stdout.join(''))) }
  }
  const die = async (value: string, death: Death) => {
    const victim = spawn(process.execPath, [CLI, 'buy', 'iban', value, '--channel', ...common], {
      env: { ...process.env, ...env },
      stdio: 'ignore',
    })
    Object.assign(front.plan, { victim, death })
    const [, signal] = await once(victim, 'exit')
    expect(signal).toBe('SIGKILL')
  }
  /** The file cannot grow: not even the journal of one write has room. */
  const runOnFullDisk = (...args: readonly string[]) =>
    outcomeOf(['-c', 'ulimit -f 4; exec "$0" "$@"', process.execPath, CLI, ...args, ...common], {
      program: 'sh',
      env,
    })
  /** What the service charged, in all. */
  const charged = () => {
    const path = join(service.dataDir, `ledger-${service.sandbox.chainName}`, 'ledger.sqlite')
    const database = new Database(path, { readonly: true })
    const sum = database.prepare('SELECT charged FROM channels WHERE payer = ?').pluck()
    const found = sum.get(address.toLowerCase()) as string | undefined
    database.close()
    return BigInt(found ?? 0)
  }
  return {
    address,
    env,
    file,
    run,
    buy,
    runOnFullDisk,
    die,
    charged,
    remove: () => scratch.remove(),
  }
}

test('a file that fails during a purchase or a refund is said in one line, and the next run goes on', async () => {
  const { run, buy, runOnFullDisk, charged, remove } = await newBuyer()
  expect(await buy(A)).toMatchObject({ code: 0 })
  for (const args of [
    ['buy', 'iban', B, '--channel'],
    ['refund', '--amount', '0.1'],
  ]) {
    const { code, stdout, stderr } = await runOnFullDisk(...args)
    expect([code, stdout]).toEqual([3, []])
    expect(stderr.join('\n')).toMatch(/^The channel's file cannot be written \(SQLITE_(IOERR|FULL)\)/)
    expect(stderr.join('\n')).not.toMatch(/\n +at /)
  }
  expect(await buy(B)).toMatchObject({ code: 0, kind: 'bought' })
  expect(charged()).toBe(2_000n)
  expect((await run('refund')).stdout[0]).toBe('paid back 0.148 USDC')
  await remove()
})

test('opens a channel, reuses it in the next process, and gets the rest back', async () => {
  const { address, file, run, buy, charged, remove } = await newBuyer()
  expect(await buy(A)).toMatchObject({ code: 0, kind: 'bought', verdict: { valid: true } })
  expect(await buy(B)).toMatchObject({ code: 0, kind: 'bought', account: { charged: '2000' } })
  expect(await service.balance(address)).toBe(750_000n)
  expect(charged()).toBe(2_000n)
  if (!LACKS.modes) expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(await buy(A, '--max-spend', '0.002')).toMatchObject({ code: 1, kind: 'max_spend' })
  expect(charged()).toBe(2_000n)
  const { code, stdout } = await run('refund')
  expect([code, stdout[0]]).toEqual([0, 'paid back 0.248 USDC'])
  expect(await service.balance(address)).toBe(998_000n)
  remove()
})

test('a refund without a channel says that nothing is left, and blames no one', async () => {
  const { run, remove } = await newBuyer()
  const { code, stdout, stderr } = await run('refund')
  expect([code, stdout, stderr]).toEqual([0, [], ['Nothing is left in the channel.']])
  remove()
})

test.each<Death>([
  'before',
  'after',
])('killed %s the service has the payment, it is charged once', async (death) => {
  const { address, buy, die, charged, remove } = await newBuyer()
  // The first payment carries a deposit, the second is a voucher.
  await die(A, death)
  expect(await buy(A)).toMatchObject({ code: 0, kind: 'bought', replayed: death === 'after' })
  await die(B, death)
  expect(await buy(B)).toMatchObject({ code: 0, kind: 'bought', replayed: death === 'after' })
  expect(charged()).toBe(2_000n)
  await die(A, death)
  // Another call goes on with the payment of the one that died.
  expect(await buy(B)).toMatchObject({ code: 0, kind: 'bought', replayed: false })
  expect(charged()).toBe(death === 'after' ? 4_000n : 3_000n)
  expect(await service.balance(address)).toBe(750_000n)
  remove()
})

test("a lost file is made up for by the chain and the buyer's own signature", async () => {
  const { address, buy, charged, remove } = await newBuyer()
  for (const value of [A, B]) expect(await buy(value)).toMatchObject({ code: 0 })
  remove()
  expect(await buy(A)).toMatchObject({ code: 0, kind: 'bought', account: { charged: '3000' } })
  expect(charged()).toBe(3_000n)
  expect(await service.balance(address)).toBe(750_000n)
})

test.each([
  ['--deposit without a channel', ['buy', 'iban', A, '--deposit', '1']],
  ['another surface', ['buy', 'iban', A, '--channel', '--surface', 'mcp']],
  ['a list', ['buy', 'iban', '--file', 'list.txt', '--channel']],
])('%s is wrong usage', async (_what, args) => {
  const { code, stderr } = await outcomeOf([CLI, ...args, '--url', front.url], {})
  expect([code, stderr[0]]).toEqual([2, expect.stringContaining('format-checker: --')])
})
