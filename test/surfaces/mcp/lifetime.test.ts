import { request } from 'node:http'
import { expect, test } from 'vitest'
import { resultJsonOf } from '../../../src/payments/ports/result-json.ts'
import type { Sale } from '../../../src/payments/ports/sale.ts'
import { call, enveloped, modernHeaders, startMcp } from './mcp-service.ts'
import { RECEIPT } from './terms.ts'

const PAID = { 'x402/payment': { x402Version: 2 } }

test.each(['older', '2026-07-28'])('work goes on when the client leaves (%s)', async (era) => {
  const begun = Promise.withResolvers<void>()
  const settle = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<Sale>()
  let delivered = 0
  const mcp = await startMcp({
    sell: async (call) => {
      if (call.kind !== 'value') throw new Error('unexpected')
      begun.resolve()
      await settle.promise
      const verdict = call.items[0].skill.check(call.items[0].value)
      const sale: Sale = {
        kind: 'sold',
        verdicts: [verdict],
        json: resultJsonOf('single', () => [verdict]),
        settlement: RECEIPT,
        authorization: 'of the client that left',
        replayed: false,
        rulesetChanged: false,
        delivered: () => delivered++,
      }
      ended.resolve(sale)
      return sale
    },
  })
  const message = call('good', PAID)
  const headers = { 'content-type': 'application/json', ...(era === 'older' ? {} : modernHeaders(message)) }
  const req = request({ host: '127.0.0.1', port: mcp.port, path: '/mcp', method: 'POST', headers })
  req.on('error', () => {})
  req.end(JSON.stringify(era === 'older' ? message : enveloped(message)))
  await begun.promise
  req.destroy()
  await mcp.dropped
  settle.resolve()
  expect((await ended.promise).kind).toBe('sold')

  // The next answer comes after the abandoned one was written: whatever it does has happened.
  await mcp.post({ jsonrpc: '2.0', id: 2, method: 'ping' })
  expect(delivered).toBe(0)
  expect(mcp.counted).not.toContain('giveBack')
  expect(mcp.logged).toEqual([])
  await mcp.close()
})

test('calls side by side do not mix', async () => {
  const mcp = await startMcp()
  const names = ['iban', 'eu_vat', 'pl_nip', 'pl_regon', 'pl_pesel', 'email']
  const calls = [...names, ...names].map(async (name, id) => {
    const message = call('good', PAID, `validate_${name}`, id)
    const { json } = await (id % 2 === 0 ? mcp.post(message) : mcp.modern(message))
    expect([json.id, json.result.structuredContent.type]).toEqual([id, name.replace('_', '-')])
  })
  await Promise.all(calls)
  await mcp.close()
})

test('a tool call sent as a notification is not executed', async () => {
  const mcp = await startMcp()
  const { id: _, ...notification } = call('good', PAID)
  const { status, text } = await mcp.post({ jsonrpc: '2.0', ...notification })
  expect([status, text]).toEqual([202, ''])
  expect(mcp.sent).toEqual([])
  await mcp.close()
})
