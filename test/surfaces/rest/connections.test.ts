import { connect } from 'node:net'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Sold } from '../../../src/payments/ports/sale.ts'
import { post } from './raw-request.ts'
import { type RestService, startRestService } from './rest-service.ts'

const PATH = '/api/validate/iban'

let service: RestService
beforeEach(async () => {
  service = await startRestService()
})
afterEach(() => service.close())

/** A line of the access log once the request is over. */
const lastLine = () => JSON.stringify(service.logged.at(-1))

it('a client that leaves inside its body gets no answer, and nothing is sold', async () => {
  const socket = connect(service.port, '127.0.0.1')
  const goOn = new Promise((resolve) => socket.once('data', resolve))
  socket.write(`POST ${PATH} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n`)
  socket.write('PAYMENT-SIGNATURE: YQ==\r\nContent-Length: 100\r\nExpect: 100-continue\r\n\r\n')
  await goOn
  socket.write('{"value":')
  socket.destroy()
  await expect.poll(() => service.logged.length).toBe(1)
  expect(lastLine()).toContain('"aborted":true')
  expect(service.script.calls).toEqual([])
})

it('a sale goes on when the client leaves, and is not taken for delivered', async () => {
  const opened = Promise.withResolvers<Sold>()
  const sold = Promise.withResolvers<Sold>()
  service.script.answer = (sale) => {
    sold.resolve(sale)
    return opened.promise
  }
  const socket = connect(service.port, '127.0.0.1')
  socket.write(post(PATH, '{"value":"x"}', ['PAYMENT-SIGNATURE: YQ==']))
  const sale = await sold.promise
  socket.destroy()
  await expect.poll(() => service.logged.length).toBe(1)
  let takenForDelivered = false
  opened.resolve({
    ...sale,
    delivered: () => {
      takenForDelivered = true
    },
  })
  // The service answers the next client as if nothing had happened; by then the first reply has been dealt with.
  service.script.answer = (next) => next
  const next = await service.check('iban', { value: 'x' }, { 'PAYMENT-SIGNATURE': 'YQ==' })
  expect(next.status).toBe(200)
  await expect.poll(() => service.script.delivered).toBe(1)
  expect(takenForDelivered).toBe(false)
  expect(service.script.calls).toHaveLength(2)
})

it('a body that will not end is answered with 413 and cut off', async () => {
  const socket = connect(service.port, '127.0.0.1')
  let received = ''
  socket.on('data', (chunk) => {
    received += chunk.toString()
  })
  const closed = new Promise((resolve) => socket.on('close', resolve))
  socket.on('error', () => {})
  socket.write(`POST ${PATH} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n`)
  socket.write('Content-Type: application/json\r\n\r\n')
  const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`
  socket.write(chunk)
  await expect.poll(() => received).toContain('"code":"body_too_large"')
  expect(received).toMatch(/^HTTP\/1\.1 413 /)
  // The client cannot use a connection again that is cut off, and must know that from the answer.
  expect(received).toContain('\r\nConnection: close\r\n')
  for (let sent = 0; sent < 40; sent++) socket.write(chunk)
  await closed
})

it('a client that asks before it sends gets 100 Continue', async () => {
  const socket = connect(service.port, '127.0.0.1')
  let received = ''
  socket.on('data', (chunk) => {
    received += chunk.toString()
  })
  const closed = new Promise((resolve) => socket.on('close', resolve))
  socket.write(`POST ${PATH} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nExpect: 100-continue\r\n`)
  socket.write('Content-Type: application/json\r\nContent-Length: 13\r\n\r\n')
  await expect.poll(() => received).toContain('100 Continue')
  socket.write('{"value":"x"}')
  await closed
  expect(received).toContain('HTTP/1.1 402')
})
