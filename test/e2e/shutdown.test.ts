import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { CHECKS } from 'format-checker-checks/internal/checks'
import { afterAll, test as anyTest, beforeAll, expect } from 'vitest'
import { MAIN, run } from '../support/command.ts'
import { type HttpProxy, startHttpProxy, type Treatment } from '../support/http-proxy.ts'
import { startWorld, type World } from '../support/live-service.ts'
import { LACKS } from '../support/platform.ts'

const test = anyTest.skipIf(LACKS.signals)

const VALUE = 'DE89370400440532013000'

let world: World
let facilitator: HttpProxy
beforeAll(async () => {
  world = await startWorld()
  facilitator = await startHttpProxy(world.sandbox.facilitatorUrl)
})
afterAll(async () => {
  await facilitator.stop()
  await world.stop()
})

/** The service in live mode as a process of its own, ready to sell. */
async function startProcess(more: Readonly<Record<string, string>> = {}) {
  const name = `data-${randomBytes(4).toString('hex')}`
  const settings = { ...(await world.settings(facilitator.url, name)), ...more }
  const running = run([MAIN], { env: settings })
  await running.line(/"event":"listening".*"mode":"live"|"mode":"live".*"event":"listening"/)
  /** The payments in the store; to be called once the process has ended. */
  const rows = () => {
    const database = new Database(join(settings.DATA_DIR ?? '', 'ledger.sqlite'), { readonly: true })
    try {
      return database.prepare('SELECT state, tx, delivered_at FROM payments').all()
    } finally {
      database.close()
    }
  }
  return { ...running, port: Number(settings.PORT), rows }
}

/** Holds settlements back; resolves `under way` with the first, and lets them go on when told. */
function holdSettlement() {
  const underWay = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  facilitator.treat(async ({ path }): Promise<Treatment> => {
    if (path !== '/settle') return 'pass'
    underWay.resolve()
    await release.promise
    return 'pass'
  })
  return { underWay: underWay.promise, release: release.resolve }
}

async function payOver(port: number): Promise<{ socket: Socket; received: string[] }> {
  const header = await world.pay(world.buyer)
  const body = JSON.stringify({ value: VALUE })
  const socket = connect(port, '127.0.0.1')
  const received: string[] = []
  socket.on('data', (chunk) => received.push(chunk.toString()))
  socket.write(
    `POST /api/validate/iban HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n` +
      `PAYMENT-SIGNATURE: ${header}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  )
  return { socket, received }
}

/** A service that gets SIGTERM while it settles the payment of a client that has left. */
async function endWhileSettling() {
  const running = await startProcess()
  const hold = holdSettlement()
  const { socket } = await payOver(running.port)
  await hold.underWay
  socket.destroy()
  running.child.kill('SIGTERM')
  await expect.poll(() => refused(running.port)).toBe(true)
  return { ...running, release: hold.release }
}

const refused = async (port: number) => {
  const socket = connect(port, '127.0.0.1')
  const outcome = await Promise.race([
    once(socket, 'connect').then(() => false),
    once(socket, 'error').then(() => true),
  ]).catch(() => true)
  socket.destroy()
  return outcome
}

test.each([
  'SIGTERM',
  'SIGINT',
] as const)('%s lets a paid call under way finish, serves nothing behind it, and ends with 0', async (signal) => {
  const before = await world.sandbox.chainReader.balance(world.buyer.address)
  const { child, ended, port, stdout } = await startProcess()
  const hold = holdSettlement()
  const { socket, received } = await payOver(port)
  const closed = once(socket, 'close')
  await hold.underWay

  child.kill(signal)
  await expect.poll(() => refused(port)).toBe(true)
  // The connection of the call under way is the only one still open, and ends with the answer.
  socket.write('GET /readyz HTTP/1.1\r\nHost: a\r\n\r\n')
  hold.release()

  await closed
  expect(await ended).toEqual({ code: 0, signal: null })
  const text = received.join('')
  expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200'])
  expect(text).toContain(JSON.stringify(CHECKS.iban(VALUE)))
  expect(await world.sandbox.chainReader.balance(world.buyer.address)).toBe(before - 1000n)
  expect(stdout.filter((line) => line.includes('"level":50'))).toEqual([])
})

test('SIGTERM lets a paid call finish whose client has left', async () => {
  const { ended, stdout, rows, release } = await endWhileSettling()
  release()

  expect(await ended).toEqual({ code: 0, signal: null })
  expect(rows()).toEqual([
    { state: 'settled', tx: expect.stringMatching(/^0x[0-9a-f]{64}$/), delivered_at: null },
  ])
  expect(stdout.filter((line) => line.includes('"level":50'))).toEqual([])
})

test('a later second SIGTERM waits for no paid call', async () => {
  const { child, ended, release } = await endWhileSettling()
  const again = setInterval(() => child.kill('SIGTERM'), 100)
  expect(await ended).toEqual({ code: 1, signal: null })
  clearInterval(again)
  release()
})

test('SIGTERM first says not ready and serves on, so that a load balancer can stop sending', async () => {
  const { child, ended, port } = await startProcess({ SHUTDOWN_DELAY: '3600' })
  const url = `http://127.0.0.1:${port}`
  child.kill('SIGTERM')
  await expect.poll(async () => (await fetch(`${url}/readyz`)).status).toBe(503)
  expect((await fetch(`${url}/healthz`)).status).toBe(200)
  expect((await fetch(`${url}/api/validate/iban`, { method: 'POST' })).status).toBe(402)
  child.kill('SIGKILL')
  await ended
})
