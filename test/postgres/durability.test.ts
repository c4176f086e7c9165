import { expect, test } from 'vitest'
import { checkStore } from '../../src/cli/doctor/store.ts'
import { openPostgresLedger } from '../../src/ledger/postgres/postgres-ledger.ts'
import { newPayment } from '../support/payment-rows.ts'
import { run, startPostgres } from '../support/postgres.ts'

const doctorOf = (url: string) => checkStore({ kind: 'postgres', url } as Parameters<typeof checkStore>[0])

test('a claim waits for the disk on a server that does not ask for it, and the doctor names what can lose sales', async ({
  onTestFinished,
}) => {
  const server = await startPostgres({ settings: { fsync: 'on', synchronous_commit: 'off' } })
  onTestFinished(server.remove)
  const url = await server.freshDatabase()
  const ledger = await openPostgresLedger({ url })
  onTestFinished(ledger.close)
  await run(
    url,
    `create table seen (commit text);
     create function see() returns trigger language plpgsql as $$ begin
       insert into seen values (current_setting('synchronous_commit')); return new; end $$;
     create trigger see before insert on payments for each row execute function see()`,
  )
  await ledger.claim(newPayment())
  expect(await run(url, 'select commit from seen')).toEqual([{ commit: 'on' }])
  expect(await doctorOf(url)).toMatchObject({ status: 'pass', found: 'DATABASE_URL can be written' })

  const standby = await server.standby()
  onTestFinished(standby.remove)
  await expect
    .poll(() => doctorOf(url), { timeout: 20_000 })
    .toMatchObject({
      status: 'warn',
      found: expect.stringContaining('a standby may lag, since synchronous_standby_names is empty'),
    })
  await run(url, "alter system set synchronous_standby_names = '*'")
  await run(url, 'alter system set full_page_writes = off')
  await run(url, 'select pg_reload_conf()')
  await expect
    .poll(() => doctorOf(url), { timeout: 20_000 })
    .toMatchObject({
      status: 'warn',
      found: 'a crash or failover can lose sales: full_page_writes is off',
    })
})
