/** Every request that leaves the service and its packages; test/outbound/outbound.test.ts finds any other. */
import { type LookupAddress, lookup } from 'node:dns'
import { type Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http'
import { type Agent as HttpsAgent, request as requestHttps } from 'node:https'
import type { LookupFunction } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { createRefusedAddresses } from './refused-addresses.ts'

export interface OutboundRequest {
  readonly url: URL
  readonly method?: string
  /** Credentials among them go to this host alone, because no redirect is followed. */
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | undefined
  /** Milliseconds for connecting, sending and reading. */
  readonly timeoutMs: number
  readonly mostBytes: number
  /** What a reply of 2xx must be; `any` where the body is not read. */
  readonly expects?: 'json' | 'any'
  /** False for an address that another party named: it is then refused if it is literally that of a metadata service. */
  readonly isNamed?: boolean
  readonly agent?: HttpAgent | HttpsAgent | false | undefined
  readonly signal?: AbortSignal | null | undefined
}

export interface OutboundReply {
  readonly status: number
  readonly statusText: string
  readonly headers: Headers
  /** Names and values alternate, unchanged and in the order received. */
  readonly rawHeaders: readonly string[]
  readonly text: string
  /** When the certificate of the other side ends; null without TLS. */
  readonly certificateEnds: Date | null
}

/** A code of this module, or a code of the system such as ECONNREFUSED. */
export type OutboundCode =
  | 'redirected'
  | 'too_large'
  | 'not_json'
  | 'no_reply'
  | 'address_refused'
  | (string & {})

/** There is no usable reply. */
export class OutboundFault extends Error {
  override readonly name = 'OutboundFault'
  readonly code: OutboundCode
  /** False while no connection was up: nothing was sent. */
  readonly wasConnected: boolean
  /** HTTP status of a reply that was rejected; undefined without a reply. */
  readonly status: number | undefined

  constructor(
    code: OutboundCode,
    message: string,
    options: ErrorOptions & { readonly wasConnected?: boolean; readonly status?: number } = {},
  ) {
    super(message, options)
    this.code = code
    this.wasConnected = options.wasConnected ?? false
    this.status = options.status
  }
}

/** Also true for a reply without a content type. */
export const isJsonType = (type: string | null | undefined): boolean =>
  type === null || type === undefined || JSON_TYPE.test(type)

const JSON_TYPE = /^\s*(?:application\/(?:[\w.+-]+\+)?|text\/)json\s*(?:;|$)/i
const isRefused = createRefusedAddresses()
const refusal = () => new OutboundFault('address_refused', 'the address is that of a metadata service')

/** Checks the addresses that a connection is made to, so that a name cannot change them in between. */
const guardedLookup: LookupFunction = (hostname, options, done) =>
  lookup(hostname, options, (error, address: string | LookupAddress[], family) => {
    const found = Array.isArray(address) ? address.map((each) => each.address) : [address]
    if (error === null && found.some(isRefused)) done(refusal() as NodeJS.ErrnoException, [])
    else done(error, address, family)
  })

/** Resolves once a whole reply is there, whatever its status; follows no redirect. Rejects with {@link OutboundFault}. */
export async function sendRequest(request: OutboundRequest): Promise<OutboundReply> {
  const { url, method = 'GET', headers = {}, body, timeoutMs, signal, agent, isNamed = true } = request
  if (!isNamed && isRefused(url.hostname.replace(/^\[|\]$/g, ''))) throw refusal()
  if (timeoutMs <= 0) throw new OutboundFault('no_reply', 'no time is left')
  const isSecure = url.protocol === 'https:'
  return new Promise((resolve, reject) => {
    let wasConnected = false
    const fail = (fault: OutboundFault) => {
      clearTimeout(timer)
      reject(fault)
      sent.destroy()
    }
    const faultOf = (cause: unknown) => {
      if (cause instanceof OutboundFault)
        return new OutboundFault(cause.code, cause.message, {
          wasConnected,
          ...(cause.status !== undefined && { status: cause.status }),
        })
      const { code = 'no_reply' } = cause as NodeJS.ErrnoException
      return new OutboundFault(code, 'the connection failed', { cause, wasConnected })
    }
    const options = { method, headers, lookup: guardedLookup, ...(agent === undefined ? {} : { agent }) }
    const sent = (isSecure ? requestHttps : requestHttp)(url, options)
    const timer = setTimeout(
      () => fail(new OutboundFault('no_reply', 'no reply in time', { wasConnected })),
      timeoutMs,
    )
    const abort = () =>
      fail(new OutboundFault('no_reply', 'given up', { cause: signal?.reason, wasConnected }))
    signal?.addEventListener('abort', abort, { once: true })
    if (signal?.aborted === true) abort()
    sent.once('socket', (socket) => {
      const up = () => {
        wasConnected = true
      }
      // A reused socket emits neither event again. TLS is set up only after `connecting`.
      if (socket.connecting) socket.once(isSecure ? 'secureConnect' : 'connect', up)
      else if (!socket.destroyed) up()
    })
    sent.on('error', (error) => fail(faultOf(error)))
    sent.once('close', () => signal?.removeEventListener('abort', abort))
    sent.once('response', (response) => {
      readReply(response, request).then(
        (reply) => {
          clearTimeout(timer)
          resolve(reply)
        },
        (error: unknown) => fail(faultOf(error)),
      )
    })
    sent.end(body)
  })
}

async function readReply(
  response: IncomingMessage,
  { mostBytes, expects = 'json' }: OutboundRequest,
): Promise<OutboundReply> {
  const { statusCode: status = 0, statusMessage: statusText = '', rawHeaders } = response
  const ends = (response.socket as TLSSocket).getPeerCertificate?.().valid_to
  if (status >= 300 && status < 400)
    throw new OutboundFault('redirected', 'the reply is a redirect, which is not followed', { status })
  if (expects === 'json' && status < 300 && !isJsonType(response.headers['content-type']))
    throw new OutboundFault('not_json', 'the reply is not JSON', { status })
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > mostBytes) throw new OutboundFault('too_large', 'the reply is too large', { status })
    chunks.push(chunk)
  }
  const headers = new Headers()
  for (let at = 0; at + 1 < rawHeaders.length; at += 2)
    headers.append(rawHeaders[at] as string, rawHeaders[at + 1] as string)
  const text = new TextDecoder().decode(Buffer.concat(chunks))
  const certificateEnds = ends === undefined ? null : new Date(ends)
  return { status, statusText, headers, rawHeaders, text, certificateEnds }
}
