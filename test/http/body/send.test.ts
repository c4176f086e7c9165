import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { connect } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { whenDelivered } from '../../../src/http/body/send.ts'

const stops: (() => void)[] = []
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
})

/** One request to a server that answers with `reply`; whether the answer counted as delivered once it was over. */
async function isDelivered(reply: (res: ServerResponse, client: Socket) => void): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  let counted = false
  const server = createServer((_, res) => {
    whenDelivered(res, () => {
      counted = true
    })
    res.once('close', () => setImmediate(() => resolve(counted)))
    reply(res, client)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  client.on('error', () => {})
  client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  stops.push(() => {
    client.destroy()
    server.close()
  })
  return promise
}

/** Two pipelined requests, the second answered first with `reply`; which answers counted as delivered in the end. */
async function deliveredOfPipeline(first: (res: ServerResponse, client: Socket) => void): Promise<string[]> {
  const { promise, resolve } = Promise.withResolvers<string[]>()
  const counted: string[] = []
  const waiting: ServerResponse[] = []
  const server = createServer((req, res) => {
    waiting.push(res)
    if (req.url === '/1') return
    for (const [index, held] of waiting.entries()) whenDelivered(held, () => counted.push(`/${index + 1}`))
    res.end('second')
    first(waiting[0] as ServerResponse, client)
    req.socket.once('close', () => setImmediate(() => resolve(counted)))
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  client.on('error', () => {})
  let received = ''
  client.on('data', (chunk) => {
    received += chunk.toString()
    if (received.includes('second')) client.end()
  })
  client.write('GET /1 HTTP/1.1\r\nHost: x\r\n\r\nGET /2 HTTP/1.1\r\nHost: x\r\n\r\n')
  stops.push(() => {
    client.destroy()
    server.close()
  })
  return promise
}

describe('a reply counts as delivered', () => {
  test('once it has left in full', async () => {
    expect(await isDelivered((res) => res.end('verdict'))).toBe(true)
  })

  test('not when the connection is closed in the same moment', async () => {
    const closes = (res: ServerResponse) => {
      res.end('verdict')
      res.socket?.destroy()
    }
    expect(await isDelivered(closes)).toBe(false)
  })

  test('not when the connection was gone before', async () => {
    const isGone = (res: ServerResponse) => {
      res.socket?.destroy()
      res.end('verdict')
    }
    expect(await isDelivered(isGone)).toBe(false)
  })

  test('not when the client leaves in the middle of it', async () => {
    const leaves = (res: ServerResponse, client: Socket) => {
      client.pause()
      res.end(Buffer.alloc(50_000_000))
      client.resetAndDestroy()
    }
    expect(await isDelivered(leaves)).toBe(false)
  })

  test('also behind another one of its connection', async () => {
    expect(await deliveredOfPipeline((res) => res.end('first'))).toEqual(['/1', '/2'])
  })

  test('not behind one that never left', async () => {
    expect(await deliveredOfPipeline((_, client) => client.resetAndDestroy())).toEqual([])
    expect(await deliveredOfPipeline((res) => res.destroy())).toEqual([])
  })
})
