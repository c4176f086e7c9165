export interface WireAnswer {
  readonly status: number
  /** Status line and headers as they came. */
  readonly head: string
  readonly body: Buffer
}

const HEAD_END = Buffer.from('\r\n\r\n')

/**
 * Takes answers one after the other out of what one connection brings; `next` names the method each answers to,
 * since an answer to HEAD has no body. Throws where the bytes are no HTTP.
 */
export function answerReader(next: () => string | undefined, onAnswer: (answer: WireAnswer) => void) {
  let pending: Buffer = Buffer.alloc(0)
  return {
    read(bytes: Buffer): void {
      pending = pending.length === 0 ? bytes : Buffer.concat([pending, bytes])
      for (;;) {
        const found = firstAnswer(pending, next)
        if (found === null) return
        pending = pending.subarray(found.length)
        if (found.answer.status >= 200) onAnswer(found.answer)
      }
    },
  }
}

function firstAnswer(bytes: Buffer, next: () => string | undefined) {
  const headEnd = bytes.indexOf(HEAD_END)
  if (headEnd < 0) return null
  const head = bytes.toString('latin1', 0, headEnd)
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1])
  if (!(status >= 100)) throw new Error('an answer that is no HTTP')
  const start = headEnd + HEAD_END.length
  const bodyless = status < 200 || status === 204 || status === 304 || next() === 'HEAD'
  if (bodyless) return { answer: { status, head, body: Buffer.alloc(0) }, length: start }
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1]
  if (length !== undefined) {
    const end = start + Number(length)
    return bytes.length < end
      ? null
      : { answer: { status, head, body: bytes.subarray(start, end) }, length: end }
  }
  if (!/\r\ntransfer-encoding: chunked/i.test(head)) throw new Error('an answer without an end')
  return chunkedAnswer(bytes, start, { status, head })
}

function chunkedAnswer(bytes: Buffer, start: number, { status, head }: { status: number; head: string }) {
  const parts: Buffer[] = []
  for (let at = start; ; ) {
    const lineEnd = bytes.indexOf('\r\n', at)
    if (lineEnd < 0) return null
    const size = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16)
    const end = lineEnd + 2 + size + 2
    if (bytes.length < end) return null
    if (size === 0) return { answer: { status, head, body: Buffer.concat(parts) }, length: end }
    parts.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size))
    at = end
  }
}
