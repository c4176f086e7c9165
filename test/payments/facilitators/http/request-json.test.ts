import { once } from 'node:events'
import { Agent as HttpAgent } from 'node:http'
import { createServer, Agent as HttpsAgent } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { requestJson } from '../../../../src/payments/facilitators/http/request-json.ts'
import { selfSigned } from '../../../support/self-signed.ts'

/** Says "{}" to the first request of a connection, and breaks it at the second, which it has read. */
const server = () => {
  let asked = 0
  return createServer(selfSigned(), (request, response) => {
    request.resume().once('end', () => {
      asked += 1
      if (asked === 1) response.end('{}')
      else request.socket.destroy()
    })
  })
}

let running: ReturnType<typeof server>
let agent: HttpsAgent
beforeEach(async () => {
  running = server()
  running.listen(0, '127.0.0.1')
  await once(running, 'listening')
  // As NODE_TLS_REJECT_UNAUTHORIZED=0 makes it: the connection works, and calls itself unauthorised.
  agent = new HttpsAgent({ keepAlive: true, rejectUnauthorized: false })
})
afterEach(async () => {
  agent.destroy()
  running.close()
  await once(running, 'close')
})

const post = () =>
  requestJson({
    url: new URL(`https://127.0.0.1:${(running.address() as AddressInfo).port}/settle`),
    method: 'POST',
    headers: { 'content-length': '2' },
    body: '{}',
    agent,
    deadline: performance.now() + 3_600_000,
  })

test('what was sent over a kept connection is never called unsent, authorised or not', async () => {
  expect(await post()).toEqual({ status: 200, body: {} })
  await expect(post()).rejects.toMatchObject({ effect: 'unknown' })
})

test('what was sent over a connection that waited calls share is never called unsent', async () => {
  agent.maxSockets = 1
  const [first, second] = [post(), post()]
  expect(await first).toEqual({ status: 200, body: {} })
  await expect(second).rejects.toMatchObject({ effect: 'unknown' })
})

test('calls over a connection whose certificate is refused are called unsent, also those that waited', async () => {
  agent.destroy()
  agent = new HttpsAgent({ keepAlive: true, maxSockets: 1 })
  for (const call of await Promise.allSettled([post(), post()]))
    expect(call).toMatchObject({ status: 'rejected', reason: { effect: 'not_sent' } })
})

test.each([
  'http',
  'https',
])('a call over %s whose connection fails at once is called unsent', async (scheme) => {
  const plain = new HttpAgent()
  const call = requestJson({
    // The broadcast address: no TCP connection to it is begun.
    url: new URL(`${scheme}://255.255.255.255:9/settle`),
    method: 'GET',
    headers: {},
    agent: scheme === 'http' ? plain : agent,
    deadline: performance.now() + 3_600_000,
  })
  await expect(call).rejects.toMatchObject({ effect: 'not_sent' })
  plain.destroy()
})

test('a deadline that is over sends nothing', async () => {
  const late = requestJson({
    url: new URL(`https://127.0.0.1:${(running.address() as AddressInfo).port}/settle`),
    method: 'GET',
    headers: {},
    agent,
    deadline: performance.now() - 1,
  })
  expect(Object.keys({ ...agent.sockets, ...agent.requests })).toEqual([])
  await expect(late).rejects.toMatchObject({ effect: 'not_sent', symptom: { code: 'no_reply' } })
})

test('nothing waits for the deadline once the answer is there', async () => {
  const waiting = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
  const before = waiting()
  await post()
  expect(waiting()).toBeLessThanOrEqual(before)
})
