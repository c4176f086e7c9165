import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Listens on a free port of loopback and tells the benchmark which; ends with it. */
export function serve(listener: RequestListener): void {
  const server = createServer({ keepAliveTimeout: 75_000, maxHeaderSize: 32 * 1024 }, listener)
  server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }))
  process.on('disconnect', () => process.exit())
}
