import { EventEmitter } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterEach, describe, expect, it } from 'vitest'
import { LIST_BODY_LIMIT, readBody } from '../../../src/http/body/read-body.ts'
import { serve } from '../http-harness.ts'

const closes: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closes.splice(0)) await close()
})

/** Reads bodies of at most ten bytes, and answers with what it found. */
async function open(kinds: string[] = []) {
  const service = await serve(async (req, res) => {
    const body = await readBody(res, 10)
    const listeners = ['data', 'end', 'close', 'error'].map((event) => req.listenerCount(event))
    kinds.push(body.kind)
    res.end(body.kind === 'read' ? `read ${body.bytes.toString()};` : `${body.kind} ${listeners};`)
  })
  closes.push(service.close)
  const socket = connect(service.port, '127.0.0.1')
  socket.on('error', () => {})
  let said = ''
  socket.on('data', (chunk) => {
    said += chunk.toString()
  })
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  return { socket, closed, said: () => said }
}

const announced = (length: number) => `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n`
const CHUNKED = 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n'
const LAST = 'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'
const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`

/** The answers to requests that are written in one go, in the order in which they came. */
async function answersTo(...requests: readonly string[]) {
  const client = await open()
  client.socket.write(requests.join(''))
  await client.closed
  return [...client.said().matchAll(/(?:read|too_large) [^;]*(?=;)/g)].map(String)
}

it('an answer after which the connection ends says so, and reaches a client that still sends', async () => {
  const { socket, closed, said } = await open()
  const length = 3 * LIST_BODY_LIMIT
  socket.write(announced(length))
  await expect.poll(said).toContain('too_large')
  expect(said()).toMatch(/^Connection: close\r$/m)
  socket.end('x'.repeat(length))
  await closed
})

it('an answer to a body that is discarded whole leaves the connection open', async () => {
  const { socket, said } = await open()
  socket.write(announced(LIST_BODY_LIMIT) + 'x'.repeat(LIST_BODY_LIMIT))
  await expect.poll(said).toContain('too_large')
  expect(said()).not.toMatch(/^Connection: close\r$/m)
  socket.write(LAST)
  await expect.poll(said).toContain('read ;')
})

describe('a body', () => {
  it('is read up to its limit, by its announced length or as it comes', async () => {
    const whole = '0123456789'
    expect(await answersTo(announced(10), whole, LAST)).toEqual([`read ${whole}`, 'read '])
    expect(await answersTo(announced(0), LAST)).toEqual(['read ', 'read '])
    const chunks = [CHUNKED, chunk('01234'), chunk('56789'), chunk('')]
    expect(await answersTo(...chunks, LAST)).toEqual([`read ${whole}`, 'read '])
  })

  it('is too large one byte above it, and the rest is discarded so that the connection stays usable', async () => {
    const over = await answersTo(announced(11), '01234567890', LAST)
    expect(over).toEqual([expect.stringMatching(/^too_large /), 'read '])
  })

  it('of chunks that is too large ends the connection, since its length is unknown, and its answer says so', async () => {
    const { socket, closed, said } = await open()
    const chunks = [CHUNKED, chunk('01234'), chunk('567890'), chunk('x'.repeat(99)), chunk('')]
    socket.write([...chunks, LAST].join(''))
    await expect.poll(said).toMatch(/too_large [^;]*;/)
    expect(said()).toMatch(/^Connection: close\r$/m)
    socket.end()
    await closed
    expect(said().match(/HTTP\/1\.1/g)).toHaveLength(1)
  })

  it('keeps none of its chunks, which take more memory than their bytes', async () => {
    setFlagsFromString('--expose-gc')
    const collect: () => void = runInNewContext('gc')
    const headers = { 'transfer-encoding': 'chunked' }
    const req = Object.assign(new EventEmitter(), { headers }) as unknown as IncomingMessage
    const reading = readBody({ req } as ServerResponse, 10)
    const sent = Array.from('0123456789', (text) => {
      const bytes = Buffer.from(text)
      req.emit('data', bytes)
      return new WeakRef(bytes)
    })
    await setImmediate()
    collect()
    expect(sent.map((each) => each.deref())).toEqual(Array(10).fill(undefined))
    req.emit('end')
    expect(await reading).toEqual({ kind: 'read', bytes: Buffer.from('0123456789') })
  })

  it('that is too large is answered before the rest of it has come', async () => {
    const client = await open()
    client.socket.write(announced(11))
    await expect.poll(client.said).toContain('too_large')
  })

  it('is discarded up to twice the largest list, and not a byte more', async () => {
    const most = 2 * LIST_BODY_LIMIT
    expect(await answersTo(announced(most), 'x'.repeat(most), LAST)).toHaveLength(2)
    expect((await answersTo(announced(most + 1), 'x'.repeat(most + 1), LAST)).length).toBeLessThan(2)
  })

  it('that its client never sends in full is aborted', async () => {
    const kinds: string[] = []
    const client = await open(kinds)
    client.socket.write(`${announced(10)}01234`)
    client.socket.end()
    await expect.poll(() => kinds).toEqual(['aborted'])
  })
})
