import { chmodSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { createConnection } from 'node:net'
import { readBody } from '../../http/body/read-body.ts'
import { readJson } from '../../http/body/read-json.ts'
import { sendJson } from '../../http/body/send.ts'
import { isObject, type JsonObject } from '../../json.ts'
import type { Log } from '../../log.ts'
import { type createPolicy, Refused } from './policy.ts'

/** Of a request: 128 authorizations in one transaction are some 120,000. */
const MOST_BYTES = 262_144
const MOST_CONNECTIONS = 64

/** Answers HTTP on a Unix socket that the process's group may use: a request in JSON, whatever its path; 400 for any other. */
export async function listenSigner(
  path: string,
  sign: ReturnType<typeof createPolicy>,
  log: Log,
): Promise<Server> {
  if (await answers(path)) throw new Error('another signer listens there')
  rmSync(path, { force: true })
  const server = createServer(async (req, res) => {
    const asked = await read(req)
    if (asked === null) res.writeHead(400).end()
    else sendJson(res, await answerTo(asked, sign, log))
  })
  server.maxConnections = MOST_CONNECTIONS
  // The service keeps its connections, and must find none closed.
  server.keepAliveTimeout = 0
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(path, resolve))
  chmodSync(path, 0o660)
  return server
}

/** Null for what is no request. */
async function read(req: IncomingMessage): Promise<JsonObject | null> {
  const body = await readBody(req, MOST_BYTES)
  const asked = body.kind === 'read' ? readJson(body.bytes) : undefined
  return isObject(asked) ? asked : null
}

async function answerTo(asked: JsonObject, sign: ReturnType<typeof createPolicy>, log: Log): Promise<object> {
  try {
    const signed = await sign(asked)
    if ('form' in signed)
      log.info({ event: 'signed', type: signed.form, transaction: signed.transaction }, 'signer')
    return { value: signed.value }
  } catch (error) {
    const refused = error instanceof Refused ? error.message : 'not a form of this service'
    log.warn({ event: 'refused', code: refused }, 'signer')
    return { refused }
  }
}

const answers = (path: string): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = createConnection(path, () => resolve(true)).on('error', () => resolve(false))
    probe.once('connect', () => probe.destroy())
  })
