import { once } from 'node:events'
import { chmodSync, lstatSync, rmSync } from 'node:fs'
import { createConnection, createServer, type Server } from 'node:net'
import { pipeline } from 'node:stream/promises'
import { ConfigError } from '../../config.ts'
import type { Log } from '../../log.ts'
import { isObject } from '../../values/json.ts'
import { connectionPlaces } from './connection-places.ts'
import { Refused, type Sign } from './policy.ts'

/** Characters of a request: 128 authorizations in one transaction are some 120,000. */
const MOST_CHARACTERS = 262_144
const MOST_CONNECTIONS = 64
/** A service asks every second. */
const IDLE_MS = 10_000

/**
 * JSON lines on a Unix socket of the process's group. A line that is no request or is too long ends its connection. A
 * client that does not read its answers is not read. Rejects with {@link ConfigError}.
 */
export async function listenSigner(path: string, sign: Sign, log: Log): Promise<Server> {
  if (process.platform === 'win32')
    throw new ConfigError(['SIGNER_SOCKET: needs a Unix socket with an owner, which Windows lacks'])
  if (await answers(path)) throw new ConfigError(['SIGNER_SOCKET: another signer listens there'])
  if (lstatSync(path, { throwIfNoEntry: false })?.isSocket() === false)
    throw new ConfigError(['SIGNER_SOCKET: something that is no socket has this name'])
  rmSync(path, { force: true })
  const places = connectionPlaces(MOST_CONNECTIONS, IDLE_MS)
  const server = createServer((socket) => {
    const place = places.take(socket)
    const answer = (chunks: AsyncIterable<string>) => answersTo(chunks, sign, log, place.note)
    pipeline(socket.setEncoding('utf8'), answer, socket)
      .catch(() => socket.destroy())
      .finally(place.leave)
  })
  await once(server.listen(path), 'listening').catch(({ code }: NodeJS.ErrnoException) => {
    throw new ConfigError([`SIGNER_SOCKET: cannot listen there (${code})`])
  })
  chmodSync(path, 0o660)
  return server
}

/** Throws for a line that is no request or is too long. */
async function* answersTo(
  chunks: AsyncIterable<string>,
  sign: Sign,
  log: Log,
  noteRequest: () => void,
): AsyncGenerator<string> {
  let text = ''
  for await (const chunk of chunks) {
    const lines = (text + chunk).split('\n')
    text = lines.pop() ?? ''
    if (text.length > MOST_CHARACTERS) throw new Refused('too long')
    for (const line of lines) {
      noteRequest()
      yield `${JSON.stringify(await answerTo(line, sign, log))}\n`
    }
  }
}

async function answerTo(line: string, sign: Sign, log: Log): Promise<object> {
  const asked: unknown = JSON.parse(line)
  if (!isObject(asked)) throw new Refused('not a request')
  try {
    const signed = await sign(asked)
    if ('form' in signed)
      log.info({ event: 'signed', type: signed.form, transaction: signed.transaction }, 'signer')
    return { value: signed.value }
  } catch (error) {
    const fault = isFileFault(error) ? 'the budget cannot be written' : 'not a form of this service'
    const refused = error instanceof Refused ? error.message : fault
    log.warn({ event: 'refused', code: refused }, 'signer')
    return { refused }
  }
}

const isFileFault = (error: unknown) => error instanceof Error && 'syscall' in error

const answers = (path: string): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = createConnection(path, () => resolve(true)).on('error', () => resolve(false))
    probe.once('connect', () => probe.destroy())
  })
