import { afterEach, beforeEach, describe, test, vi } from 'vitest'
import type { PostgresOptions } from '../../src/ledger/postgres/postgres-ledger.ts'
import { eventually } from '../support/eventually.ts'
import { holdTransaction } from '../support/held-transaction.ts'
import type { Fleet } from '../support/histories/fleet.ts'
import { playHistory, SOME } from '../support/histories/play-history.ts'
import { type PostgresServer, run, startPostgres } from '../support/postgres.ts'
import { startTcpSwitch, type TcpSwitch } from '../support/tcp-switch.ts'

/** Ends what hangs; a loaded machine takes many times longer than an idle one to start processes and servers. */
vi.setConfig({ testTimeout: 600_000 })

const stops: (() => Promise<unknown>)[] = []
let server: PostgresServer
let address: TcpSwitch
let url: string
beforeEach(async () => {
  server = await startPostgres()
  stops.push(server.remove)
  address = await startTcpSwitch(server.port)
  stops.push(address.stop)
  const direct = new URL(await server.freshDatabase())
  direct.port = String(address.port)
  url = direct.toString()
})
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
})

/** Two processes at work while something goes wrong. */
const play = (options: Partial<PostgresOptions>, trouble: (fleet: Fleet) => Promise<void>) =>
  playHistory({ store: { url, ...options }, processes: 2 }, trouble)

const database = () => new URL(url).pathname.slice(1)
const direct = () => server.urlOf(database())

describe('the history of two processes on one PostgreSQL has an order', () => {
  test('while nothing goes wrong', async () => {
    await play({}, async () => {})
  })

  test('while processes are killed and started again', async () => {
    await play({}, async (fleet) => {
      for (let round = 0; round < 3; round += 1) {
        await fleet.killOne()
        await fleet.add()
        await fleet.answered(SOME)
      }
    })
  })

  test('while sessions are ended by the server', async () => {
    await play({}, async (fleet) => {
      for (let round = 0; round < 5; round += 1) {
        await run(
          direct(),
          `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'format-checker'`,
        )
        await fleet.answered(SOME)
      }
    })
  })

  test('while connections break', async () => {
    await play({}, async (fleet) => {
      for (let round = 0; round < 5; round += 1) {
        address.to(server.port)
        await fleet.answered(SOME)
      }
    })
  })

  test('while rows are locked for longer than a statement may run', async () => {
    await play({ statementTimeoutMs: 1_000 }, async (fleet) => {
      const held = await holdTransaction(direct(), 'lock table payments in share mode')
      await fleet.failed(3)
      await held.end('rollback')
    })
  })

  test('while callers wait in vain for a pool of one connection', async () => {
    await play({ poolSize: 1, poolWaitMs: 1_000, statementTimeoutMs: 10_000 }, async (fleet) => {
      const held = await holdTransaction(direct(), 'lock table payments in share mode')
      await fleet.failed(3)
      await held.end('rollback')
    })
  })

  test('whatever isolation the database asks for', async () => {
    await run(direct(), `alter database ${database()} set default_transaction_isolation = 'serializable'`)
    await play({}, (fleet) => fleet.answered(3 * SOME))
  })

  test('while the server crashes and starts again', async () => {
    await play({}, async (fleet) => {
      await server.kill()
      await fleet.failed(3)
      await server.start()
      await fleet.answered(SOME)
    })
  })

  test('over a failover to a standby that had confirmed each commit', async () => {
    const standby = await server.standby()
    stops.push(standby.remove)
    await run(direct(), `alter system set synchronous_standby_names = '*'`)
    await run(direct(), 'select pg_reload_conf()')
    await eventually(
      async () => (await run(direct(), 'select sync_state from pg_stat_replication'))[0],
    ).toEqual({
      sync_state: 'sync',
    })
    await play({ statementTimeoutMs: 2_000 }, async (fleet) => {
      await server.kill()
      await fleet.failed(3)
      await standby.promote()
      address.to(standby.port)
      await fleet.answered(SOME)
    })
  })
})
