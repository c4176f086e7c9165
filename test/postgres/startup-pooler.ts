import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'

/** Words of a startup message begin behind its length and the protocol's version. */
const WORDS_AT = 8

/** A relay before PostgreSQL that drops the `options` of new sessions, as poolers do that ignore them by a setting. */
export async function startPoolerWithoutOptions(port: number) {
  const server = createServer((client) => {
    const upstream = connect(port, '127.0.0.1')
    client.once('data', (startup: Buffer) => {
      upstream.write(withoutOptions(startup))
      client.pipe(upstream).pipe(client)
    })
    client.on('error', () => upstream.destroy())
    upstream.on('error', () => client.destroy())
    client.on('close', () => upstream.destroy())
    upstream.on('close', () => client.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    async stop() {
      const closed = once(server, 'close')
      server.close()
      await closed
    },
  }
}

/** The message with its other parameters, each a name and a value that end in a zero byte (manual, 55.7). */
function withoutOptions(startup: Buffer): Buffer {
  const words = startup.subarray(WORDS_AT).toString('latin1').split('\0')
  const kept: string[] = []
  for (let at = 0; words[at] !== ''; at += 2) {
    if (words[at] !== 'options') kept.push(`${words[at]}\0${words[at + 1]}\0`)
  }
  const message = Buffer.concat([startup.subarray(0, WORDS_AT), Buffer.from(`${kept.join('')}\0`, 'latin1')])
  message.writeUInt32BE(message.length)
  return message
}
