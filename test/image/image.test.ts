/** The image of the unchanged Dockerfile, run as a cluster would: read-only, as user 1000, without capabilities. */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callRpc } from '../../src/sandbox/chain/json-rpc.ts'
import { commonKeys } from '../faults/bench/world.ts'
import type { Running } from '../support/command.ts'
import { startWorld, type World } from '../support/live-service.ts'
import { startPostgres } from '../support/postgres.ts'
import { buildImage, COMMAND, HEALTH, mountVolume, removeContainers, runInImage } from './container.ts'

const IBAN = 'DE89370400440532013000'
const PRICE = 1_000n

let image: string
let world: World
let volume: string
let unmount: () => void
let settings: Readonly<Record<string, string>>
let service: Running
beforeAll(async () => {
  image = buildImage()
  world = await startWorld()
  volume = join(world.path, 'volume')
  unmount = mountVolume(volume, 32)
  const { DATA_DIR: _, ...others } = await world.settings(world.sandbox.facilitatorUrl)
  settings = { ...others, DATA_DIR: '/data', NODE_ENV: 'production', RATE_LIMIT_UNPAID: '120' }
  await start()
})
afterAll(async () => {
  service.child.kill('SIGKILL')
  await service.ended
  unmount()
  await world.stop()
  removeContainers()
})

const inImage = (command: readonly string[]) => runInImage(image, volume, command, settings)
async function start(): Promise<void> {
  service = inImage(COMMAND)
  await service.line(/"mode":"live"/)
}
async function stop(signal: NodeJS.Signals): Promise<void> {
  service.child.kill(signal)
  await service.ended
}
const url = () => settings.BASE_URL as string
/** The status of a paid check; 0 without an answer. */
const buy = (payment: string, value = IBAN) =>
  fetch(`${url()}/api/validate/iban`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'PAYMENT-SIGNATURE': payment },
    body: JSON.stringify({ value }),
  }).then(
    ({ status }) => status,
    () => 0,
  )
const statusOf = (path: string) => fetch(`${url()}${path}`).then(({ status }) => status)

test('runs as user 1000 without capabilities, and can write nothing but its volume and /tmp', async () => {
  const status = readFileSync(`/proc/${service.child.pid}/status`, 'utf8')
  const of = (name: string) => new RegExp(`^${name}:\\s+(.*)$`, 'm').exec(status)?.[1]
  const ids = '1000\t1000\t1000\t1000'
  expect([of('Uid'), of('Gid'), of('Groups')?.trim()]).toEqual([ids, ids, '1000'])
  expect([of('CapEff'), of('CapPrm'), of('CapInh'), of('CapAmb')].map(Number)).toEqual([0, 0, 0, 0])
  expect(of('NoNewPrivs')).toBe('1')
  const { code, stdout } = await outcome([
    'sh',
    '-c',
    'for at in / /app /etc /home/node /data /tmp; do touch $at/x 2>/dev/null && echo $at; done; rm -f /data/x',
  ])
  expect([code, stdout]).toEqual([0, ['/data', '/tmp']])
})

test('answers its health check, sells a check, and gives its own tarball away', async () => {
  expect((await outcome(HEALTH)).code).toBe(0)
  expect(await buy(await world.pay(await world.newBuyer()))).toBe(200)
  const { version } = JSON.parse(readFileSync(join(image, 'app/package.json'), 'utf8')) as { version: string }
  expect(await statusOf(`/format-checker-${version}.tgz`)).toBe(200)
})

test('answers its health check and sells while one address asks for documents and never reads', async () => {
  const { hostname, port } = new URL(url())
  const request = `GET /llms-full.txt HTTP/1.1\r\nHost: ${hostname}:${port}\r\n\r\n`.repeat(60)
  const sockets: Socket[] = Array.from({ length: 400 }, () => {
    const socket = connect(Number(port), hostname)
      .pause()
      .on('error', () => {})
    socket.write(request)
    return socket
  })
  try {
    for (let asked = 0; asked < 10; asked += 1) expect(await statusOf('/healthz')).toBe(200)
    expect(await buy(await world.pay(await world.newBuyer()))).toBe(200)
  } finally {
    for (const socket of sockets) socket.destroy()
  }
  await expect.poll(async () => (await outcome(HEALTH)).code).toBe(0)
})

test('killed during sales it answers each of them after the next start, and charges each once', async () => {
  const buyers = await Promise.all(Array.from({ length: 8 }, () => world.newBuyer()))
  const payments = await Promise.all(buyers.map(world.pay))
  const first = Promise.all(payments.map((payment) => buy(payment)))
  await Promise.race([first, buy(await world.pay(await world.newBuyer()))])
  await stop('SIGKILL')
  await first
  await start()
  for (const payment of payments) await expect.poll(() => buy(payment)).toBe(200)
  for (const { address } of buyers)
    expect(await world.sandbox.chainReader.balance(address)).toBe(1_000_000n - PRICE)
})

test('with a full volume it sells nothing and charges no one, and goes on when there is room', async () => {
  const buyer = await world.newBuyer()
  const payment = await world.pay(buyer)
  const filler = join(volume, 'filler')
  expect(() => writeFileSync(filler, Buffer.alloc(64 * 2 ** 20))).toThrow('ENOSPC')
  await expect.poll(async () => (await fetch(`${url()}/status.json`)).text()).toContain('store_full')
  expect(await buy(payment)).toBe(503)
  expect(await world.sandbox.chainReader.balance(buyer.address)).toBe(1_000_000n)
  rmSync(filler)
  await expect.poll(() => buy(payment)).toBe(200)
})

test('an older backup put back is brought up to date by its own command, and no one is charged again', async () => {
  const store = new Database(join(volume, 'ledger.sqlite'), { readonly: true })
  const backup = store.serialize()
  store.close()
  const since = new Date(Date.now() - 60_000).toISOString()
  const buyer = await world.newBuyer()
  const payment = await world.pay(buyer)
  expect(await buy(payment)).toBe(200)
  await stop('SIGTERM')
  for (const name of readdirSync(volume).filter((each) => /-(wal|shm)$/.test(each)))
    rmSync(join(volume, name))
  writeFileSync(join(volume, 'ledger.sqlite'), backup)
  await callRpc(world.sandbox.rpcUrl ?? '', 'anvil_mine', ['0x14'])
  const { code, stdout } = await outcome(['node', 'bin/format-checker.js', 'reconcile', '--restored', since])
  expect([code, stdout.join('\n')]).toEqual([0, expect.stringMatching(/restored 1 /)])
  await start()
  expect(await buy(payment)).toBe(200)
  expect(await world.sandbox.chainReader.balance(buyer.address)).toBe(1_000_000n - PRICE)
})

test('rolled over PostgreSQL beside paying clients it loses no call: the next listens before the last ends', async () => {
  await stop('SIGTERM')
  const server = await startPostgres()
  const { DATA_DIR: _, ...others } = settings
  settings = {
    ...others,
    DATABASE_URL: await server.freshDatabase(),
    ...commonKeys(),
    RATE_LIMIT_UNPAID: '0',
    SHUTDOWN_DELAY: '1',
  }
  try {
    expect((await outcome(['node', 'bin/format-checker.js', 'migrate'])).code).toBe(0)
    await start()
    let isRolling = true
    const clients = Array.from({ length: 4 }, async () => {
      const buyer = await world.newBuyer()
      const answers: number[] = []
      // A call that is repeated before its answer is known to have arrived is not charged: each is another one.
      while (isRolling) answers.push(await buy(await world.pay(buyer), `${IBAN}${answers.length}`))
      return { buyer, answers }
    })
    for (let rolled = 0; rolled < 3; rolled += 1) {
      const last = service
      await start()
      last.child.kill('SIGTERM')
      expect((await last.ended).code).toBe(0)
    }
    isRolling = false
    for (const { buyer, answers } of await Promise.all(clients)) {
      expect(answers.filter((status) => status !== 200)).toEqual([])
      const paid = BigInt(answers.length) * PRICE
      expect(await world.sandbox.chainReader.balance(buyer.address)).toBe(1_000_000n - paid)
    }
  } finally {
    await stop('SIGKILL')
    await server.remove()
  }
})

async function outcome(command: readonly string[]) {
  const running = inImage(command)
  const { code } = await running.ended
  return { code, stdout: running.stdout }
}
