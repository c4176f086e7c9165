/** docs/evidence/response-heads.md: the bytes of the largest 402 of each kind. */
import { constantHeaders } from '../src/app/public/http-app.ts'
import { EXPOSED_HEADERS } from '../src/http/headers/response-headers.ts'
import type { Purchase, Quote } from '../src/payments/ports/sale.ts'
import { realQuotes } from '../test/payments/extensions/real-quotes.ts'
import { csvTable } from './csv-table.ts'

/** The longest host that heads are sized for has 60 characters. */
export const LONG_HOST = `format-checker.${'a'.repeat(37)}.example`
/**
 * The most that a head may have, held by `test/surfaces/response-heads.test.ts`. nginx and ingress-nginx read it into one
 * buffer of 4 kB; the rest of it is theirs.
 */
export const MOST_OF_A_402 = 3_500
/** Of these for the terms or the settlement, so that a longer description leaves the room of new headers alone. */
export const MOST_OF_TERMS = 2_756

const BASE_URL = `https://${LONG_HOST}`
const { quotes, registry } = await realQuotes(BASE_URL)
const list = (type: Purchase['type']) => quotes.of({ shape: 'list', type, items: 1000 }, 'rest')
const sizeOf = (quote: Quote) => quote.header('payment_required').length
const largest = (all: readonly Quote[]) =>
  all.reduce((one, other) => (sizeOf(other) > sizeOf(one) ? other : one))

const KINDS = {
  'REST check': {
    quote: largest(registry.all.map((skill) => quotes.single(skill, 'rest'))),
    contentType: 'application/problem+json; charset=utf-8',
  },
  'REST list': {
    quote: largest(await Promise.all([list('mixed'), ...registry.all.map(({ id }) => list(id))])),
    contentType: 'application/problem+json; charset=utf-8',
  },
  'A2A check': {
    quote: largest(registry.all.map((skill) => quotes.single(skill, 'a2a'))),
    contentType: 'application/json; charset=utf-8',
  },
}

type Part = readonly [name: string, bytes: number]

/** Parts of one kind; a line counts with its end. */
function partsOf({ quote, contentType }: (typeof KINDS)['REST check']): readonly Part[] {
  const { resource, accepts, extensions = {} } = quote.required('payment_required')
  const inBase64 = (json: unknown) => Math.round((JSON.stringify(json).length * 4) / 3)
  const members = Object.entries({ resource, accepts, ...extensions }).map(
    ([name, json]): Part => [`PAYMENT-REQUIRED, \`${name}\``, inBase64(json)],
  )
  const terms = lineOf('PAYMENT-REQUIRED', quote.header('payment_required'))[1]
  const constant = constantHeaders({ baseUrl: BASE_URL, sandbox: false })
  const names = ['X-Request-Id', ...constant.filter((_, at) => at % 2 === 0), 'PAYMENT-REQUIRED']
  return [
    ['status line, and the end of the head', 'HTTP/1.1 402 Payment Required\r\n\r\n'.length],
    lineOf('X-Request-Id', '-'.repeat(36)),
    ...constant.flatMap((name, at) => (at % 2 === 0 ? [lineOf(name, String(constant[at + 1]))] : [])),
    lineOf('Access-Control-Allow-Origin', '*'),
    lineOf('Content-Type', contentType),
    lineOf('Cache-Control', 'no-store'),
    ...members,
    ['PAYMENT-REQUIRED, the rest', terms - members.reduce((sum, [, bytes]) => sum + bytes, 0)],
    lineOf('Content-Length', '1000'),
    lineOf('Access-Control-Expose-Headers', names.filter((name) => EXPOSED_HEADERS.has(name)).join()),
    lineOf('Date', new Date(0).toUTCString()),
    lineOf('Connection', 'keep-alive'),
    lineOf('Keep-Alive', 'timeout=75'),
  ]
}

const lineOf = (name: string, value: string): Part => [name, `${name}: ${value}\r\n`.length]

const PARTS = Object.values(KINDS).map(partsOf)
const totalOf = (parts: readonly Part[]) => parts.reduce((sum, [, bytes]) => sum + bytes, 0)
const isOfTerms = ([name]: Part) => name.startsWith('PAYMENT-REQUIRED')

/** Bytes of the whole head by kind. */
export const HEAD_BYTES = Object.fromEntries(
  Object.keys(KINDS).map((kind, at) => [kind, totalOf(PARTS[at] ?? [])]),
)

/** docs/evidence/response-heads.csv: each part by kind. */
export const responseHeadsTable = (): string =>
  csvTable(
    ['part', ...Object.keys(KINDS)],
    (PARTS[0] ?? []).map(([name], at) => [name, ...PARTS.map((parts) => String(parts[at]?.[1] ?? 0))]),
  )

export function responseHeadsDoc(): string {
  const terms = Math.max(...PARTS.map((parts) => totalOf(parts.filter(isOfTerms))))
  const others = Math.max(...PARTS.map((parts) => totalOf(parts.filter((part) => !isOfTerms(part)))))
  const room = MOST_OF_A_402 - MOST_OF_TERMS - others
  return `---
reader: developers
---
# Bytes of a 402's head

A header of every answer has room for ${room} bytes. nginx and ingress-nginx read a head into one buffer of 4 kB, of which ${MOST_OF_A_402} bytes are
for this service: ${MOST_OF_TERMS} for \`PAYMENT-REQUIRED\`, which has up to ${terms}, and the rest for the other lines, which have up to ${others}. A new line
counts with its name and end, and once more with its name in \`Access-Control-Expose-Headers\` if pages may read it.
[Every part](response-heads.csv) is for a host of ${LONG_HOST.length} characters and a kept connection. The terms are base64, so a byte of JSON
counts four thirds.
`
}
