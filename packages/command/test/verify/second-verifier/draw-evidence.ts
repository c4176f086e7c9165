/** Statements and receipts of a made-up service, honest and with one production of the grammar in docs/receipts.md broken. */
import { gzipSync } from 'node:zlib'
import { CHECKS } from 'format-checker-checks/internal/checks'
import { PRIVATE, STATEMENT_FORMAT } from '../../../../../src/lists/statement/format.ts'
import { saltedHash, sha256 } from '../../../../../src/receipts/receipt-hashes.ts'
import { newReceiptKey, readReceiptKey } from '../../../../../src/receipts/receipt-key.ts'
import { receiptIdentity } from '../../../../../src/receipts/receipt-signer.ts'
import {
  type ReceiptPayload,
  receiptExtension,
  settlementOf,
} from '../../../../../src/receipts/signed-receipt.ts'
import { validValue } from '../../../../../test/support/identifiers.ts'
import type { SeededRandom } from '../../../../../test/support/seeded-random.ts'

export interface DrawnCase {
  /** What is broken. */
  readonly kind: string
  readonly bytes: Buffer
  /** Whether it is verified by the keys in it alone. */
  readonly own: boolean
}

type Json = Record<string, unknown>
type Change = (text: string) => string | Buffer

const SERVICE = 'https://checks.example'
const key = readReceiptKey(newReceiptKey())
const { jwk, did, kid } = receiptIdentity(key.publicKey, SERVICE)
/** The keys that verifiers are given. */
export const KEY_SET = { keys: [jwk] }
const DOCUMENT = {
  id: did,
  verificationMethod: [{ id: kid, type: 'JsonWebKey', controller: did, publicKeyJwk: jwk }],
}

const PAYEE = '0x209693Bc6afc0C5328bA36FaF03C514EF312287C'
const PAYERS = ['0x857b06519E91e3A54538791bDbb0E22373e36b66', '0xeff932C07AE2fB50FF791787b2F21A75e64CFd31']

const base64url = (text: string) => Buffer.from(text).toString('base64url')

/** Texts of the parts of a sale, which a change may replace before they are hashed and signed. */
interface Sale {
  readonly request?: Change
  readonly results?: Change
  readonly payload?: Change
  readonly head?: Change
  readonly pack?: (bytes: Buffer) => string
}

const asIs: Change = (text) => text
const packed = (bytes: Buffer) => gzipSync(bytes).toString('base64')

/** A payment of values from a number on, sold by the service. */
async function sell(
  from: number,
  size: number,
  { request = asIs, results = asIs, payload = asIs, head = asIs, pack = packed }: Sale,
  payer = PAYERS[0],
) {
  const items = Array.from({ length: size }, (_, at) => {
    const value = validValue('iban', from + at)
    return { type: 'iban', value: at % 3 === 2 ? `${value}X` : value }
  })
  const asked = Buffer.from(request(JSON.stringify(items)))
  const answered = Buffer.from(results(JSON.stringify(items.map(({ value }) => CHECKS.iban(value)))))
  const salt = sha256(`${from}`).subarray(0, 16)
  const signed = {
    ...{
      version: 1,
      network: 'eip155:8453',
      resourceUrl: `${SERVICE}/api/validate/batch`,
      payer,
      payTo: PAYEE,
    },
    ...{ issuedAt: 1_763_683_200 + from, transaction: `0x${sha256(`tx ${from}`).toString('hex')}` },
    amount: String(1_000 * size),
    requestHash: saltedHash(salt, sha256(asked)),
    resultHash: saltedHash(salt, sha256(answered)),
  }
  const text = payload(JSON.stringify(signed))
  const input = `${base64url(head(JSON.stringify({ alg: 'EdDSA', kid })) as string)}.${Buffer.from(text).toString('base64url')}`
  const shown = { ...signed, ...parsed(text.toString()) } as unknown as ReceiptPayload
  const settlement = settlementOf(shown, `${input}.${await key.sign(input)}`, salt.toString('hex'))
  return { items, settlement, amount: String(shown.amount), request: pack(asked), results: pack(answered) }
}

/** An object as any program would read it; empty for other text. */
function parsed(text: string): Json {
  try {
    const json: unknown = JSON.parse(text)
    return typeof json === 'object' && json !== null ? (json as Json) : {}
  } catch {
    return {}
  }
}

const NOT_WHOLE = ['1e3', '1.0', '-0', '01', 'NaN', 'Infinity', '9007199254740992', '+1', '0x1', '1e-1', '-']
const OTHERS = [
  'null',
  'true',
  'false',
  '0',
  '1',
  '-1',
  '9007199254740991',
  '""',
  '"x"',
  '[]',
  '{}',
  '[[1]]',
  '"0"',
  '{"a":1}',
]
const TEXTS = [
  '"\\ud800"',
  '"\\udc00\\ud800"',
  '"\\u0041"',
  '"\\x"',
  '"\n"',
  '"\\ud83d\\ude00"',
  "'x'",
  '"\u00e9"',
  '"\u0000"',
]

export function createDraw(random: SeededRandom) {
  const insertAt = (text: string, at: number, more: string) => text.slice(0, at) + more + text.slice(at)
  const placesOf = (text: string, pattern: RegExp) => [...text.matchAll(pattern)]
  const replaceOne = (text: string, pattern: RegExp, by: (found: string) => string) => {
    const found = random.pick(placesOf(text, pattern))
    const at = found?.index ?? 0
    return text.slice(0, at) + by(found?.[0] ?? '') + text.slice(at + (found?.[0].length ?? 0))
  }
  const VALUE = /(?<=[:[,])(?:"[^"\\]*"|-?\d+|true|false|null)(?=[,\]}])/g
  const MEMBER = /"[^"\\]*":(?:"[^"\\]*"|-?\d+|true|false|null)(?=[,}])/g

  /** Each breaks a rule of JSON, or none. */
  const TEXT: Readonly<Record<string, Change>> = {
    'another value': (text) => replaceOne(text, VALUE, () => random.pick(OTHERS)),
    'a number of another form': (text) => replaceOne(text, VALUE, () => random.pick(NOT_WHOLE)),
    'a text of another form': (text) => replaceOne(text, VALUE, () => random.pick(TEXTS)),
    'a member twice': (text) => replaceOne(text, MEMBER, (found) => `${found},${found}`),
    'a member twice, by escapes': (text) =>
      replaceOne(
        text,
        MEMBER,
        (found) =>
          `${found},${found.replace(/[a-z]/, (letter) => `\\u00${letter.charCodeAt(0).toString(16)}`)}`,
      ),
    'a member less': (text) => replaceOne(text, MEMBER, () => '').replace(/,(?=[,}])|(?<=[{[]),/, ''),
    'a member more': (text) =>
      replaceOne(text, /\{/g, () => `{"note":${random.pick(OTHERS)},`).replace(',}', '}'),
    'a name in capitals': (text) => replaceOne(text, /"[a-z]\w*":/g, (found) => found.toUpperCase()),
    'white space': (text) =>
      replaceOne(text, /[,:[\]{}]/g, (found) => random.pick([' ', '\n', '\t', '\r', '\r\n ']) + found),
    'white space of other kinds': (text) =>
      replaceOne(
        text,
        /[,:[\]{}]/g,
        (found) => random.pick(['\f', '\v', '\u00a0', '\u2028', '\u3000']) + found,
      ),
    'a byte order mark': (text) => `\ufeff${text}`,
    'something behind it': (text) => text + random.pick(['{}', ',', 'x', '\0', ' ', '\n', ']']),
    'the end cut off': (text) => text.slice(0, random.int(text.length)),
    'a comma too much': (text) => replaceOne(text, /[\]}]/g, (found) => `,${found}`),
    'a bracket turned': (text) => replaceOne(text, /[[\]{}]/g, () => random.pick(['[', ']', '{', '}'])),
    levels: (text) => {
      const count = random.pick([50, 60, 62, 63, 64, 65, 66, 70, 2_000])
      return replaceOne(text, VALUE, () => '['.repeat(count) + ']'.repeat(count))
    },
    'a byte that is no UTF-8': (text) => {
      const bytes = Buffer.from(text)
      bytes[random.int(bytes.length)] = random.pick([0xff, 0xc0, 0xed, 0x80, 0xf5])
      return bytes
    },
    'one byte': (text) => {
      const bytes = Buffer.from(text)
      bytes[random.int(bytes.length)] = random.int(256)
      return bytes
    },
    'a byte less': (text) => {
      const at = random.int(text.length)
      return text.slice(0, at) + text.slice(at + 1)
    },
    'a byte more': (text) =>
      insertAt(text, random.int(text.length), random.pick(['0', '"', ' ', 'a', '\\', '-', '.'])),
  }

  /** How a packed part may be packed otherwise. */
  const PACKED: Readonly<Record<string, (bytes: Buffer) => string>> = {
    'two gzip members': (bytes) => {
      const at = random.int(bytes.length)
      return Buffer.concat([gzipSync(bytes.subarray(0, at)), gzipSync(bytes.subarray(at))]).toString('base64')
    },
    'an empty gzip member behind': (bytes) =>
      Buffer.concat([gzipSync(bytes), gzipSync('')]).toString('base64'),
    'something behind gzip': (bytes) =>
      Buffer.concat([gzipSync(bytes), Buffer.alloc(1 + random.int(9), random.pick([0, 1]))]).toString(
        'base64',
      ),
    'gzip cut off': (bytes) =>
      gzipSync(bytes)
        .subarray(0, -1 - random.int(12))
        .toString('base64'),
    'a wrong sum': (bytes) => {
      const gzip = gzipSync(bytes)
      const at = gzip.length - 1 - random.int(8)
      gzip[at] = (gzip[at] ?? 0) ^ (1 << random.int(8))
      return gzip.toString('base64')
    },
    'another head': (bytes) => {
      const gzip = gzipSync(bytes)
      gzip[random.int(10)] = random.int(256)
      return gzip.toString('base64')
    },
    'a head with a name': (bytes) => {
      const gzip = gzipSync(bytes)
      gzip[3] = 8
      return Buffer.concat([gzip.subarray(0, 10), Buffer.from('x\0'), gzip.subarray(10)]).toString('base64')
    },
    'no gzip': (bytes) => bytes.toString('base64'),
    'base64 with a line break': (bytes) => insertAt(packed(bytes), random.int(100), '\n'),
    'base64 with a blank': (bytes) => insertAt(packed(bytes), random.int(100), ' '),
    'base64 without padding': (bytes) => packed(bytes).replace(/=+$/, ''),
    'base64 with more padding': (bytes) => `${packed(bytes)}=`,
    'base64 of addresses': (bytes) => gzipSync(bytes).toString('base64url'),
    'a text in hex': (bytes) => gzipSync(bytes).toString('hex'),
    'too many bytes': (bytes) =>
      packed(Buffer.concat([bytes, Buffer.alloc(random.pick([4_096, 20_000, 99_999]), ' ')])),
    empty: () => '',
  }

  const pickFrom = <T>(table: Readonly<Record<string, T>>) => random.pick(Object.entries(table))

  async function statementOf(sale: Sale, second: Sale = {}, payer = PAYERS[0]) {
    const first = await sell(0, 3, sale, payer)
    const other = await sell(10, 2, second)
    let cell = 0
    const payment = ({ items, ...rest }: typeof first) => {
      const cells = items.map((_, at) => Array.from({ length: 1 + (at % 2) }, () => (cell += 1)))
      return { ...rest, payTo: PAYEE, cells }
    }
    const lost = {
      ...{ amount: '1000', payTo: PAYEE, cells: [[99]] },
      authorization: {
        network: 'eip155:8453',
        payer: PAYERS[1],
        nonce: `0x${'ab'.repeat(32)}`,
        validBefore: 1_763_690_000,
      },
    }
    return {
      ...{
        format: STATEMENT_FORMAT,
        private: PRIVATE,
        service: `${SERVICE}/`,
        finishedAt: '2026-11-20T04:00:00.000Z',
      },
      input: { file: 'in.csv', sha256: 'ab'.repeat(32) },
      output: { file: 'out.csv', sha256: null },
      list: { columns: [{ type: 'iban', column: 'IBAN' }], sheet: null, leftOut: { empty: 2 } },
      keys: DOCUMENT,
      payments: [payment(first), payment(other), ...(random.int(4) === 0 ? [lost] : [])],
    }
  }

  /** A single receipt in one of its forms, or that of a list. */
  async function receiptOf(payload: Change = asIs, head: Change = asIs): Promise<object> {
    const [item] = [{ type: 'iban', value: validValue('iban', 40) }]
    const result = CHECKS.iban(item.value)
    const isList = random.int(3) === 0
    const list = { count: 1, valid: 1, invalid: 0, results: [result] }
    const one: Change = (text) => (isList ? text : text.slice(1, -1))
    const { settlement, amount } = await sell(40, 1, { request: one, results: one, payload, head })
    const extension = receiptExtension(
      String(
        (settlement.extensions?.['offer-receipt'] as { info: { receipt: { signature: string } } }).info
          .receipt.signature,
      ),
    )
    const [request, answer] = isList ? [[item], random.pick([list, [result]])] : [item, result]
    const extra = { chargedAmount: amount, channelState: { channelId: '0x1' } }
    return random.pick<object>([
      settlement,
      extension,
      extension.info.receipt,
      { receipt: settlement, request, result: answer },
      { receipt: settlement, request: isList ? request : { value: item.value, type: item.type } },
      { receipt: extension },
      { receipt: { ...settlement, extra }, result: answer },
      { kind: 'bought', verdict: answer, settlement, replayed: false, amount },
    ])
  }

  const KINDS: readonly (() => Promise<readonly [string, string | Buffer]>)[] = [
    async () => ['honest statement', JSON.stringify(await statementOf({}))],
    async () => ['honest receipt', JSON.stringify(await receiptOf())],
    async () => ['another payer', JSON.stringify(await statementOf({}, {}, PAYERS[1]))],
    async () => {
      const [kind, change] = pickFrom(TEXT)
      return [`statement: ${kind}`, change(JSON.stringify(await statementOf({})))]
    },
    async () => {
      const [kind, change] = pickFrom(TEXT)
      return [`receipt: ${kind}`, change(JSON.stringify(await receiptOf()))]
    },
    async () => {
      const [kind, pack] = pickFrom(PACKED)
      return [`packed: ${kind}`, JSON.stringify(await statementOf({ pack }))]
    },
    ...(['request', 'results', 'payload', 'head'] as const).map((part) => async () => {
      const [kind, change] = pickFrom(TEXT)
      return [`signed ${part}: ${kind}`, JSON.stringify(await statementOf({ [part]: change }))] as const
    }),
    async () => {
      const [kind, change] = pickFrom(TEXT)
      return [
        `signed part of a receipt: ${kind}`,
        JSON.stringify(
          await receiptOf(...(random.int(2) === 0 ? ([change] as const) : ([asIs, change] as const))),
        ),
      ]
    },
    async () => {
      const statement = await statementOf({})
      const [first, second] = statement.payments as unknown as Json[]
      const [name, from] = [
        random.pick(['settlement', 'request', 'results', 'amount', 'cells', 'payTo']),
        random.pick([first, second]),
      ]
      if (first !== undefined && from !== undefined)
        first[name] = from[random.pick(['settlement', 'request', 'results', 'amount', 'cells', 'payTo'])]
      return [`statement: ${name} of another`, JSON.stringify(statement)]
    },
    async () => {
      const statement = await statementOf({})
      const { cells } = statement.payments[0] ?? { cells: [] }
      const at = random.int(3)
      const others: unknown[] = [
        [],
        [1],
        [5],
        [98, 97],
        [97, 97],
        [0],
        [-1],
        [1.5],
        ['1'],
        null,
        7,
        [2 ** 53 - 1],
      ]
      ;(cells as unknown[])[at] = random.pick(others)
      return ['statement: cells', JSON.stringify(statement)]
    },
  ]

  return async (): Promise<DrawnCase> => {
    const [kind, text] = await random.pick(KINDS)()
    return { kind, bytes: Buffer.from(text), own: random.int(4) === 0 }
  }
}
