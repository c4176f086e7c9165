import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { expect, test } from 'vitest'
import { sendSales } from '../../../src/surfaces/admin/sales/send-sales.ts'
import { freshAccount, signPayment, termsFor } from '../../support/chain-payments.ts'
import { rowFor } from '../../support/temp-ledger.ts'

test('a client that leaves before it has the whole file is no defect, and what it got is reported', async () => {
  const payer = freshAccount()
  const row = rowFor(await signPayment(payer, termsFor(payer.address)))
  const rows = (limit: number) => Array.from({ length: limit }, () => ({ ...row, settledAt: 0 }))
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const client = connect(port, '127.0.0.1', () => client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'))
  client.once('data', () => client.destroy())
  const [req, res] = await once(server, 'request')
  let count = 0
  await sendSales(req, res, {
    ledger: { settled: async (_from, _to, limit) => rows(limit) as never },
    ownPayers: [],
    now: Date.now,
    days: 1,
    onSent: (sent) => {
      count = sent
    },
  })
  expect(count).toBeGreaterThan(0)
  server.close()
})
