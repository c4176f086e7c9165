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
})
