import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { newChannel } from '../../support/channel-rows.ts'
import { openTempLedger } from '../../support/temp-ledger.ts'
import { describeChannelStore } from '../channel-contract.ts'

describeChannelStore('SQLite', openTempLedger)

test('the sums over many channels let other work go on, and count each channel once', async () => {
  const { ledger, dataDir, close } = await openTempLedger()
  const first = await ledger.openChannel(newChannel())
  const database = new Database(join(dataDir, 'ledger.sqlite'))
  const columns = (database.pragma('table_info(channels)') as { name: string }[]).map(({ name }) => name)
  const values = columns.map((name) =>
    name === 'id' ? "'0x' || lower(hex(randomblob(32)))" : name === 'read_at' ? 'n' : name,
  )
  database.exec(`with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 9999)
    insert into channels (${columns}) select ${values} from numbers, channels`)
  database.close()
  let turns = 0
  const look = () => {
    turns += 1
    next = setImmediate(look)
  }
  let next = setImmediate(look)
  const totals = await ledger.channelTotals(0)
  clearImmediate(next)
  expect(totals).toMatchObject({
    channels: 10_000,
    charged: 10_000n * (first?.charged ?? 0n),
    deposited: 10_000n * (first?.balance ?? 0n),
    oldestReadAt: 1,
  })
  expect(turns).toBeGreaterThan(3)
  await close()
})
