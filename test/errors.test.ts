import { globSync, readFileSync } from 'node:fs'
import { parseAst } from 'rolldown/parseAst'
import { describe, expect, it } from 'vitest'
import { consequencesOf, detailOn, ERRORS, type ErrorCode, type ErrorEntry } from '../src/errors.ts'
import { consequenceOf } from '../src/payments/ports/consequences.ts'
import { PROMISES } from './support/promises.ts'

const codes = Object.keys(ERRORS) as ErrorCode[]
const TRANSPORTS = ['rest', 'a2a', 'mcp'] as const
const textsOf = (code: ErrorCode) => TRANSPORTS.map((transport) => detailOn(code, transport))
type Node = Readonly<Record<string, unknown>>
const TYPED = /^TS(?:As|Satisfies|NonNull)Expression$/

/** The words that code hands on: none of a type, a comparison or a set of codes to look for. */
function wordsIn(node: unknown): readonly string[] {
  if (Array.isArray(node)) return node.flatMap(wordsIn)
  if (node === null || typeof node !== 'object') return []
  const { type = '', value, operator, callee, expression, consequent } = node as Node
  if (type === 'Literal') return typeof value === 'string' ? [value] : []
  if (TYPED.test(String(type))) return wordsIn(expression)
  if (/^(?:TS|Import)/.test(String(type))) return []
  if (type === 'NewExpression' && (callee as Node).name === 'Set') return []
  if (type === 'BinaryExpression' && /^[!=]==$/.test(String(operator))) return []
  return wordsIn(type === 'SwitchCase' ? consequent : Object.values(node))
}

const wordsOf = (text: string) => wordsIn(parseAst(text, { lang: 'ts' }, 'file.ts').body)
/** In the sources beside the catalogue and what only publishes it. */
const returned = new Set(
  globSync('src/**/!(errors).ts')
    .filter(
      (path) => !/surfaces\/(?:documents|site)\/|monitoring\/|sandbox\//.test(path.replaceAll('\\', '/')),
    )
    .flatMap((path) => wordsOf(readFileSync(path, 'utf8'))),
)
const withStatus = (...statuses: number[]) => codes.filter((code) => statuses.includes(ERRORS[code].status))

describe('the catalogue of errors', () => {
  it.each([
    'facilitator_unavailable',
    'chain_unavailable',
    'store_unavailable',
    'payment_state_unknown',
  ] as const)('%s may be over in five seconds, and does not count against the client', (code) => {
    expect(consequenceOf(code)).toEqual({ counted: false, retryAfterSeconds: 5 })
  })

  it.each(
    withStatus(402).filter((code) => ERRORS[code].charged !== 'unknown'),
  )('%s offers terms, so nothing was charged and a new payment is the way', (code) => {
    expect(consequencesOf(code)).toEqual({ charged: false, retry: 'new_payment' })
    for (const text of textsOf(code)) expect(text).toContain('othing was charged')
  })

  it.each([
    'payment_expired',
    'payment_not_yet_valid',
    'payment_valid_too_long',
  ] as const)('%s names the clock, of a buyer who signed just now', (code) => {
    for (const text of textsOf(code)) expect(text).toContain('check your clock')
  })

  it('leaves the charge open in two of them: one is of another call, one is a facilitator’s word', () => {
    const open = withStatus(402).filter((code) => ERRORS[code].charged === 'unknown')
    expect(open).toEqual(['payment_locked', 'payment_refused'])
    for (const code of open) expect(consequencesOf(code).retry).toBe('new_payment')
  })

  it.each(Object.entries(PROMISES))('%s promises no more than it says: %s', (code, promise) => {
    const { charged } = consequencesOf(code as ErrorCode)
    expect(charged === 'unknown' ? ['open'] : charged ? ['charged'] : ['never', 'open']).toContain(promise)
  })

  it.each(codes)('%s is returned somewhere', (code) => {
    expect(returned).toContain(code)
  })

  it.each([
    ["declined('a')", ['a']],
    ["const x = { code: 'a' } as const", ['a']],
    ["const x = isBad ? 'a' : y", ['a']],
    ["type X = 'a' | 'b'", []],
    ["const x: 'a' = y", []],
    ["if (code === 'a') go()", []],
    ["switch (x) {\n  case 'a': go('b')\n}", ['b']],
    ["const X = new Set(['a'])", []],
  ])('is returned where code hands it on: %s', (text, words) => {
    expect(wordsOf(text)).toEqual(words)
  })

  it.each(withStatus(400, 413, 415))('%s is the request to correct, and costs nothing', (code) => {
    expect(consequencesOf(code)).toEqual({ charged: false, retry: 'fix' })
  })

  it.each(withStatus(429, 500, 503))('%s is repeated unchanged, never paid again', (code) => {
    expect(consequencesOf(code).retry).toBe('unchanged')
  })

  it.each(
    codes.filter((code) => ERRORS[code].charged === 'unknown'),
  )('%s, after which the charge is unknown, does not claim the contrary', (code) => {
    for (const text of textsOf(code)) expect(text).not.toMatch(/nothing was charged/i)
  })

  it('counts every outcome against a client but the failures of the service', () => {
    const failures = codes.filter((code) => !consequenceOf(code).counted)
    expect(failures).toEqual(withStatus(500, 503))
  })

  /** What MCP says of a tool call; the other codes answer HTTP requests that never become one. */
  const MCP_CODES: readonly ErrorCode[] = [
    'value_missing',
    'value_not_string',
    'value_too_long',
    'value_not_unicode',
    'unknown_field',
    'not_an_object',
    'facilitator_unavailable',
    'store_unavailable',
    'shutting_down',
    'payment_in_doubt',
    'payment_already_used',
    'replay_window_over',
    ...withStatus(402),
  ]

  it.each(MCP_CODES)('%s names the means of MCP, never a body or a header', (code) => {
    expect(detailOn(code, 'mcp')).not.toMatch(/\bbody\b|header|PAYMENT-SIGNATURE|Retry-After/i)
  })

  it.each(codes)('%s ends its sentences and addresses no one', (code) => {
    const { title, detail, on = {} }: ErrorEntry = ERRORS[code]
    for (const text of [detail, ...Object.values(on)]) {
      expect(text).toMatch(/[.}]$/)
      expect(text).not.toMatch(/\b(he|his|him|whoever|somebody|nobody|has to|have to)\b/)
    }
    expect(title).not.toMatch(/\.$/)
  })
})
