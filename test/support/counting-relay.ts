import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'

export interface CountingRelay {
  readonly url: string
  /** Calls back once so many further bytes have passed in either direction, and passes no other byte on after them. */
  cutAfter(bytes: number, then: () => void): void
  stop(): Promise<void>
}

/** A TCP relay before a service that can end a conversation at any byte of it. */
export async function startCountingRelay(port: number): Promise<CountingRelay> {
  let left = Number.POSITIVE_INFINITY
  let onCut = () => {}
  /** The bytes that may pass; the rest is dropped. */
  const admit = (chunk: Buffer): Buffer => {
    const passed = chunk.subarray(0, Math.max(0, Math.min(chunk.length, left)))
    const wasOpen = left > 0
    left -= chunk.length
    if (wasOpen && left <= 0) onCut()
    return passed
  }
  const server = createServer((client) => {
    const service = connect(port, '127.0.0.1')
    for (const [from, to] of [
      [client, service],
      [service, client],
    ] as const) {
      from.on('data', (chunk: Buffer) => void to.write(admit(chunk)))
      from.on('end', () => to.end())
      from.on('error', () => to.destroy())
      from.on('close', () => to.destroy())
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cutAfter(bytes, then) {
      left = bytes
      onCut = then
    },
    async stop() {
      server.close()
      await once(server, 'close')
    },
  }
}
