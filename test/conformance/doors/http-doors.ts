/** What HTTP clients do: long bodies, kept connections, compressed documents. */
import assert from 'node:assert/strict'
import { Agent, type IncomingMessage, request } from 'node:http'
import type { Trial } from '../target.ts'
import { encoded, newPayment, post, VALUE } from './exchange.ts'

const PATHS = ['/api/validate/iban', '/a2a', '/mcp']
/** Longer than any body that is read or discarded. */
const TOO_LONG = Buffer.alloc(3 * 1024 * 1024, 'x')

/** Posts a body on a kept connection, its length announced or not; the end of the answer. */
function postLong(url: string, agent: Agent, headers: Record<string, string>): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const sent = request(url, {
      method: 'POST',
      agent,
      headers: { 'Content-Type': 'application/json', ...headers },
    })
    sent.once('response', (response) => resolve(response.resume()))
    sent.once('error', reject)
    sent.write(TOO_LONG)
    sent.end()
  })
}

const COMPRESSED = { gzip: 'gzip', 'br, gzip': 'br' }

export const httpDoors: readonly Trial[] = [
  {
    name: 'HTTP: an answer to a body of 3 MB says that the connection closes, and the next request is answered',
    async run({ origin }) {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 })
      for (const path of PATHS)
        for (const length of [
          { 'Content-Length': String(TOO_LONG.length) },
          { 'Transfer-Encoding': 'chunked' },
        ] as const) {
          const { statusCode, headers } = await postLong(`${origin}${path}`, agent, { ...length })
          assert.deepEqual([statusCode, headers.connection], [413, 'close'], path)
          const next = await new Promise<IncomingMessage>((resolve, reject) =>
            request(`${origin}/api/types`, { agent }, resolve).once('error', reject).end(),
          )
          assert.equal(next.resume().statusCode, 200)
        }
      agent.destroy()
    },
  },
  {
    name: 'HTTP: long documents are compressed for a client that takes that',
    async run({ origin }) {
      for (const path of ['/openapi.json', '/llms-full.txt']) {
        const plain = await fetch(`${origin}${path}`, { headers: { 'Accept-Encoding': 'identity' } })
        assert.match(plain.headers.get('vary') ?? '', /Accept-Encoding/)
        const text = await plain.text()
        for (const [accept, coding] of Object.entries(COMPRESSED)) {
          const answer = await fetch(`${origin}${path}`, { headers: { 'Accept-Encoding': accept } })
          assert.equal(answer.headers.get('content-encoding'), coding)
          assert.ok(Number(answer.headers.get('content-length')) < text.length / 2)
          assert.equal(await answer.text(), text)
        }
      }
    },
  },
  {
    name: 'REST: a member that is not known is an error, says what was meant, and free with a payment too',
    async run(target) {
      const headers = { 'PAYMENT-SIGNATURE': encoded(await newPayment(target)) }
      const { status, json } = await post(target, '/api/validate/iban', { value: VALUE, vaule: 'x' }, headers)
      assert.deepEqual([status, json.code, json.charged], [400, 'unknown_field', false])
      assert.match(json.detail, /"value"\?/)
      assert.doesNotMatch(json.detail, /vaule/)
    },
  },
]
