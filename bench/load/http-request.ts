/** One request as bytes, ready to be written to a connection again and again. */
export function httpRequest(request: {
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}): Buffer {
  const { method, path, headers = {}, body } = request
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const length =
    body === undefined && method === 'GET' ? [] : [`Content-Length: ${Buffer.byteLength(body ?? '')}\r\n`]
  return Buffer.from(
    [`${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n`, ...lines, ...length, '\r\n', body ?? ''].join(''),
  )
}
