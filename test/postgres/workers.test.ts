import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { commonKeys } from '../faults/bench/world.ts'
import { outcomeOf, ROOT, type Running, run } from '../support/command.ts'
import { eventually } from '../support/eventually.ts'
import { startWorld, type World } from '../support/live-service.ts'
import { freePort } from '../support/ports.ts'
import { run as query } from '../support/postgres.ts'
import { testDatabases } from '../support/test-databases.ts'

let world: World
const databases = testDatabases()
let service: Running | undefined

beforeAll(async () => {
  world = await startWorld()
})
afterEach(() => service?.child.kill('SIGKILL'))
afterAll(() => world.stop())

const MAIN = join(ROOT, 'src/main.ts')

async function settings(database: string): Promise<Record<string, string>> {
  const { DATA_DIR: _, ...rest } = await world.settings(world.sandbox.facilitatorUrl)
  return {
    ...rest,
    ...commonKeys(),
    DATABASE_URL: database,
    WORKERS: '2',
    ADMIN_PORT: String(await freePort()),
  }
}

/** The processes that serve: children of the one that was started. */
const workersOf = ({ child: { pid } }: Running): string[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean)

const status = (url: string) =>
  fetch(url).then(
    (reply) => reply.status,
    () => 0,
  )

describe.skipIf(!existsSync('/proc/self/task'))('two workers', () => {
  test('serve one port, are replaced when they end, and shut down in order', async () => {
    const database = await databases.fresh()
    const environment = await settings(database)
    service = run([MAIN], { env: environment })
    await service.line(/"event":"workers"/)
    const workers = workersOf(service)
    expect(workers).toHaveLength(2)

    const url = environment.BASE_URL ?? ''
    const payments: string[] = []
    for (let index = 0; index < 8; index++) payments.push(await world.pay(await world.newBuyer()))
    const sold = await Promise.all(
      payments.map(async (payment) => {
        const reply = await fetch(`${url}/api/validate/iban`, {
          method: 'POST',
          headers: {
            'Content-Type': 'application/json',
            // A connection of its own: connections are given to the workers in turn.
            Connection: 'close',
            'PAYMENT-SIGNATURE': payment,
          },
          body: JSON.stringify({ value: 'GB82WEST12345698765432' }),
        })
        return reply.status
      }),
    )
    expect(new Set(sold)).toEqual(new Set([200]))
    const owners = await query(database, "select count(*) as sales from payments where state = 'settled'")
    expect(Number(owners[0]?.sales)).toBe(8)

    const metricsOf = (index: number) =>
      status(`http://127.0.0.1:${Number(environment.ADMIN_PORT) + index}/metrics`)
    expect(await Promise.all([metricsOf(0), metricsOf(1)])).toEqual([200, 200])

    process.kill(Number(workers[1]), 'SIGKILL')
    await service.line(/"event":"worker_ended"/)
    await eventually(() => workersOf(service as Running).length).toBe(2)
    await eventually(() => metricsOf(1)).toBe(200)
    expect(await status(`${url}/readyz`)).toBe(200)

    service.child.kill('SIGTERM')
    expect(await service.ended).toEqual({ code: 0, signal: null })
    expect(await status(`${url}/readyz`)).toBe(0)
  })

  test('say once why they cannot start', async () => {
    const environment = await settings(await databases.fresh())
    const taken = run([MAIN], { env: { ...environment, WORKERS: '1' } })
    await taken.line(/"mode":"live"/)
    const { code, stderr } = await outcomeOf([MAIN], {
      env: { ...environment, ADMIN_PORT: String(await freePort()) },
    })
    expect(code).toBe(1)
    expect(stderr.filter((line) => line.startsWith('PORT: another program'))).toHaveLength(1)
    taken.child.kill('SIGTERM')
    await once(taken.child, 'close')
  })
})
