import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { PaymentLayer } from '../../src/app/payments/payment-layer.ts'
import type { Ledger } from '../../src/ledger/ledger.ts'
import { openPostgresLedger } from '../../src/ledger/postgres/postgres-ledger.ts'
import { BASE } from '../../src/payments/networks/base.ts'
import { restorePayments } from '../../src/payments/recovery/restore-lost-sales.ts'
import { TOKEN } from '../../src/sandbox/addresses.ts'
import { run, serverBinaries } from '../support/postgres.ts'
import { expectRenamedRepeat, RENAMINGS, REPEATED_STATES } from '../support/repeat-identifiers.ts'
import { type SaleBench, startSaleBench } from '../support/sale-bench.ts'
import { testDatabases } from '../support/test-databases.ts'

const HOUR_MS = 3_600_000

const databases = testDatabases()
const opened: Ledger[] = []
let bench: SaleBench
let url: string
let replicas: readonly PaymentLayer[]

beforeEach(async () => {
  bench = await startSaleBench()
  url = await databases.fresh()
  replicas = await startReplicas(url)
})
afterEach(async () => {
  await stopReplicas()
  await bench.stop()
})

async function startReplicas(database: string): Promise<readonly PaymentLayer[]> {
  const start = async () => {
    const ledger = await openPostgresLedger({ url: database })
    opened.push(ledger)
    return bench.replica({ ledger })
  }
  return [await start(), await start()]
}
const stopReplicas = () => Promise.all(opened.splice(0).map((ledger) => ledger.close()))

type RawPayment = Awaited<ReturnType<Awaited<ReturnType<SaleBench['buyer']>>['sign']>>['rawPayment']

const sellAt = (replica: 0 | 1, rawPayment: RawPayment, value?: string) => {
  bench.clock.advance(1)
  return (replicas[replica] as PaymentLayer).sell(bench.call(value), rawPayment)
}

test.each(REPEATED_STATES)('a payment that is %s is repeated under whatever identifier', async (state) => {
  const ledger = opened[0] as Ledger
  await bench.restart({ ledger })
  const row: SaleBench['row'] = async ({ address }, nonce) => {
    const key = { network: BASE.id, asset: TOKEN.toLowerCase(), payer: address.toLowerCase(), nonce }
    const found = await ledger.find(key)
    if (found === null) throw new Error('no such row')
    return found
  }
  const onPostgres = Object.assign(Object.create(bench) as SaleBench, { ledger, row })
  for (const renaming of RENAMINGS) await expectRenamedRepeat(onPostgres, state, renaming, 'rest')
})

describe('an older backup put back under two replicas', () => {
  /** As docs/operations.md says: `pg_dump`, every replica stopped before the restore and started after it. */
  const dump = () => execFileSync(join(serverBinaries(), 'pg_dump'), ['--inserts', url], { encoding: 'utf8' })
  async function putBack(copy: string): Promise<void> {
    await stopReplicas()
    bench.clock.advance(HOUR_MS)
    url = await databases.fresh()
    execFileSync(join(serverBinaries(), 'psql'), ['-q', '-v', 'ON_ERROR_STOP=1', url], { input: copy })
    replicas = await startReplicas(url)
  }
  const restore = () =>
    restorePayments(
      {
        ledger: opened[0] as Ledger,
        chain: bench.chain.reader,
        now: bench.clock.now,
        payee: { network: 'eip155:8453', asset: TOKEN, payTo: bench.payTo },
      },
      bench.clock.now() - 2 * HOUR_MS,
    )

  test('charges no buyer again: what it knows is answered, what it lacks is in doubt until it is restored', async () => {
    const buyer = await bench.buyer()
    const [known, underWay, lacking] = [await buyer.sign(), await buyer.sign(), await buyer.sign()]
    expect(await sellAt(0, known.rawPayment, 'PL61109010140000071219812874')).toMatchObject({ kind: 'sold' })
    let copy = ''
    bench.facilitator.script.push({
      lands: 'before',
      says: (truth) => {
        copy = dump()
        return truth
      },
    })
    expect(await sellAt(1, underWay.rawPayment, 'DE89370400440532013000')).toMatchObject({ kind: 'sold' })
    expect(await sellAt(0, lacking.rawPayment)).toMatchObject({ kind: 'sold', replayed: false })
    await putBack(copy)
    expect(
      await Promise.all([
        sellAt(0, known.rawPayment, 'PL61109010140000071219812874'),
        sellAt(0, underWay.rawPayment, 'DE89370400440532013000'),
        sellAt(1, underWay.rawPayment, 'DE89370400440532013000'),
        sellAt(0, lacking.rawPayment),
        sellAt(1, lacking.rawPayment),
      ]),
    ).toMatchObject([
      { kind: 'sold', replayed: true },
      { kind: 'sold', replayed: true },
      { kind: 'sold', replayed: true },
      { kind: 'declined', code: 'payment_in_doubt' },
      { kind: 'declined', code: 'payment_in_doubt' },
    ])
    await restore()
    for (const replica of [0, 1] as const)
      expect(await sellAt(replica, lacking.rawPayment)).toMatchObject({ kind: 'sold', replayed: true })
    expect([await bench.charged(), bench.facilitator.settled.length]).toEqual([3, 3])
  })
})

describe('a serialization failure', () => {
  /** The next so many writes that bring a row into this state fail as PostgreSQL fails under a stricter isolation. */
  const fail = async (state: string, times: number) => {
    await run(url, 'drop sequence if exists failures')
    await run(url, 'create sequence failures')
    await run(
      url,
      `create or replace function fail() returns trigger language plpgsql as $$ begin
         if new.state = '${state}' and nextval('failures') <= ${times} then
           raise exception 'could not serialize access' using errcode = '40001';
         end if;
         return new; end $$`,
    )
    await run(
      url,
      'create or replace trigger fails before insert or update on payments for each row execute function fail()',
    )
  }

  test('at the claim is no charge, and the same request sells at either replica', async () => {
    const { rawPayment } = await (await bench.buyer()).sign()
    await fail('settling', 1)
    expect(await sellAt(0, rawPayment)).toMatchObject({ kind: 'declined', code: 'store_unavailable' })
    expect(bench.facilitator.settled).toHaveLength(0)
    expect(await sellAt(1, rawPayment)).toMatchObject({ kind: 'sold', replayed: false })
    expect(await bench.charged()).toBe(1)
  })

  test('at the record is tried again, and one that does not end is in doubt and then answered from the chain', async () => {
    const buyer = await bench.buyer()
    const [once, often] = [await buyer.sign(), await buyer.sign()]
    await fail('settled', 1)
    expect(await sellAt(0, once.rawPayment)).toMatchObject({ kind: 'sold', replayed: false })
    await fail('settled', 3)
    const doubtful = 'DE89370400440532013000'
    expect(await sellAt(0, often.rawPayment, doubtful)).toMatchObject({ code: 'payment_in_doubt' })
    bench.clock.advance(HOUR_MS / 60)
    expect(await sellAt(1, often.rawPayment, doubtful)).toMatchObject({ kind: 'sold', replayed: true })
    expect([await bench.charged(), bench.facilitator.settled.length]).toEqual([2, 2])
  })
})
