import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { Handler } from '../middleware.ts'
import type { SendProblem } from './problem.ts'
import type { HeaderList } from './send.ts'
import { type StaticDocument, staticDocument } from './static-document.ts'

/** In the order of preference. Brotli at 5 is a tenth smaller than gzip at its best, and as fast. */
const CODINGS = {
  br: (body: string | Buffer) =>
    brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: (body: string | Buffer) => gzipSync(body, { level: 9 }),
} as const
type Coding = keyof typeof CODINGS
const NAMES = Object.keys(CODINGS) as readonly Coding[]

const VARY: HeaderList = ['Vary', 'Accept-Encoding']

/** Bytes below which a compressed form is hardly smaller. */
const SHORTEST = 200

/** Compresses once, at the first request that takes that form; each form has its own entity tag (RFC 9110, 8.8.3.3). */
export function compressedDocument(sendProblem: SendProblem, document: StaticDocument): Handler {
  const dated = { modifiedAt: Date.now(), ...document }
  if (document.body.length < SHORTEST) return staticDocument(sendProblem, dated)
  const headers = [...(document.headers ?? []), ...VARY]
  const plain = staticDocument(sendProblem, { ...dated, headers })
  const compressed = new Map<Coding, Handler>()
  const formOf = (coding: Coding): Handler => {
    const known = compressed.get(coding)
    if (known !== undefined) return known
    const body = CODINGS[coding](document.body)
    const form = staticDocument(sendProblem, {
      ...dated,
      body,
      headers: [...headers, 'Content-Encoding', coding],
    })
    compressed.set(coding, form)
    return form
  }
  return function compressedDocument(req, res) {
    const reads = req.method === 'GET' || req.method === 'HEAD'
    const coding = reads ? codingOf(req.headers['accept-encoding']) : undefined
    if (coding === undefined) plain(req, res)
    else formOf(coding)(req, res)
  }
}

/** The coding of the highest weight (RFC 9110, 12.5.3); a weight of zero refuses. */
function codingOf(header: string | undefined): Coding | undefined {
  if (header === undefined) return undefined
  const weights = new Map(
    header.split(',').map((each) => {
      const [name = '', weight = 'q=1'] = each.split(';').map((part) => part.trim().toLowerCase())
      return [name, Number(/^q=([01](?:\.\d{0,3})?)$/.exec(weight)?.[1] ?? 0)]
    }),
  )
  const weightOf = (name: Coding) => weights.get(name) ?? 0
  const [best] = NAMES.filter((name) => weightOf(name) > 0).sort(
    (one, other) => weightOf(other) - weightOf(one),
  )
  return best
}
