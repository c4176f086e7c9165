import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'

/**
 * A random address of 127.0.0.0/8 (RFC 1122) with a free port. Anvil answers any Host and Origin, so a page could use
 * it, but must try 2^40 addresses and ports. A machine with 127.0.0.1 alone, e.g. a Mac, hides only the port: a page
 * that guesses it can play with test money. A path or a relay in front would hide no more.
 */
export async function freeAddress(): Promise<{ readonly host: string; readonly port: number }> {
  const hidden = `127.${[...randomBytes(3)].map((byte) => Math.max(1, Math.min(254, byte))).join('.')}`
  try {
    return { host: hidden, port: await freePort(hidden) }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRNOTAVAIL') throw error
    return { host: '127.0.0.1', port: await freePort('127.0.0.1') }
  }
}

async function freePort(host: string): Promise<number> {
  const server = createServer().listen(0, host)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
