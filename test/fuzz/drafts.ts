import { CHECK_TYPES } from 'format-checker-checks/verdict'
import type { SeededRandom } from '../support/seeded-random.ts'
import { encodeText, spellJson } from './byte-mutations.ts'
import { CANARY, hostileLeaf, hostileText } from './hostile-values.ts'
import { mutateJson } from './json-mutations.ts'
import type { Purse } from './purse.ts'
import { type Draft, noiseHeaders } from './write-request.ts'

export interface Maker {
  readonly random: SeededRandom
  readonly purse: Purse
  readonly host: string
  readonly adminHost: string
}

/** An address of its own for most requests, so that the limits of one address do not end the run; one is hot. */
export const sender = (random: SeededRandom): [string, string] => [
  'X-Forwarded-For',
  random.int(50) === 0 ? '192.0.2.1' : Array.from({ length: 4 }, () => random.int(256)).join('.'),
]

export const anyValue = ({ random, purse }: Maker): unknown => {
  switch (random.int(6)) {
    case 0:
      return hostileLeaf(random)
    case 1:
      return purse.value
    default:
      return hostileText(random)
  }
}

/** The document as a body, mutated in structure, spelling and bytes, or as it is. */
export function bodyOf(document: unknown, random: SeededRandom): Buffer {
  const kind = random.int(10)
  if (kind < 3) return Buffer.from(JSON.stringify(document))
  if (kind < 7) return Buffer.from(JSON.stringify(mutateJson(document, random)) ?? '')
  return encodeText(spellJson(mutateJson(document, random), random), random)
}

const contentType = (random: SeededRandom): [string, string][] => {
  const types = [
    'text/plain',
    'application/json; charset=utf-16',
    'application/x-www-form-urlencoded',
    `${CANARY}/x`,
  ]
  if (random.int(12) === 0) return [['Content-Type', random.pick(types)]]
  if (random.int(40) === 0) return []
  return [['Content-Type', 'application/json']]
}
const encoding = (random: SeededRandom): [string, string][] =>
  random.int(20) === 0 ? [['Content-Encoding', random.pick(['gzip', 'identity', 'br', CANARY])]] : []

export const head = (random: SeededRandom) => [
  ...contentType(random),
  ...encoding(random),
  sender(random),
  ...noiseHeaders(random),
]

export const payment = ({ random, purse }: Maker): [string, string][] =>
  random.int(3) === 0
    ? []
    : [[random.int(12) === 0 ? 'X-PAYMENT' : 'PAYMENT-SIGNATURE', purse.header(random)]]

export function restDraft(maker: Maker): Draft {
  const { random, host } = maker
  const document = { value: anyValue(maker) }
  const path =
    random.int(12) === 0
      ? strangePath(random, '/api/validate/iban')
      : `/api/validate/${random.pick(CHECK_TYPES)}`
  const method =
    random.int(15) === 0 ? random.pick(['GET', 'PUT', 'DELETE', 'OPTIONS', 'HEAD', 'PATCH']) : 'POST'
  const body = random.int(25) === 0 ? Buffer.alloc(0) : bodyOf(document, random)
  return {
    kind: 'REST',
    method,
    path,
    host,
    headers: [...head(random), ...payment(maker)],
    body,
    surface: 'rest',
  }
}

/** An address that is spelt otherwise, or leads somewhere else. */
export function strangePath(random: SeededRandom, path: string): string {
  const shapes = [
    `${path}/`,
    `/${path}`,
    `${path}?value=${CANARY}`,
    `${path}?`,
    path.toUpperCase(),
    `${path}%00`,
    `${path}%2e%2e%2f`,
    `${path}/../${CANARY}`,
    `${path};${CANARY}`,
    `${path}#${CANARY}`,
    `http://${CANARY}.example${path}`,
    `/${CANARY}`,
    `/api/validate/${CANARY}`,
    `/${'a/'.repeat(200)}`,
    `/%${'25'.repeat(100)}`,
    '*',
    '//',
    path.replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
  ]
  return random.pick(shapes)
}
