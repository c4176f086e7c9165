import { connect } from 'node:net'

export interface RawResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly text: string
}

/** Sends bytes as they stand over a fresh connection and reads until the other side is done. */
export function rawRequest(port: number, request: string | Buffer): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    const socket = connect(port, '127.0.0.1', () => socket.write(request))
    socket.on('data', (chunk: Buffer) => chunks.push(chunk))
    socket.on('error', (error) => (chunks.length > 0 ? undefined : reject(error)))
    socket.on('close', () => resolve(parse(Buffer.concat(chunks).toString('utf8'))))
  })
}

/** A request with `Connection: close`, a JSON content type unless said otherwise, and the right length. */
export function post(target: string, body: string | Buffer, headers: readonly string[] = []): Buffer {
  const bytes = Buffer.from(body)
  const has = (name: string) => headers.some((line) => line.toLowerCase().startsWith(`${name}:`))
  const lines = [
    `POST ${target} HTTP/1.1`,
    'Host: checks.example',
    'Connection: close',
    ...(has('content-type') ? [] : ['Content-Type: application/json']),
    ...(has('content-length') || has('transfer-encoding') ? [] : [`Content-Length: ${bytes.length}`]),
    ...headers,
  ]
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), bytes])
}

/** A body as one chunk per part. */
export function chunked(...parts: readonly string[]): string {
  const chunks = parts.map((part) => `${Buffer.byteLength(part).toString(16)}\r\n${part}\r\n`)
  return `${chunks.join('')}0\r\n\r\n`
}

function parse(text: string): RawResponse {
  const end = text.indexOf('\r\n\r\n')
  const [line, ...fields] = text.slice(0, end).split('\r\n')
  const headers = Object.fromEntries(
    fields.map((field) => {
      const colon = field.indexOf(':')
      return [field.slice(0, colon).toLowerCase(), field.slice(colon + 1).trim()]
    }),
  )
  return { status: Number(line?.split(' ')[1]), headers, body: text.slice(end + 4), text }
}
