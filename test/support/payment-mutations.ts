/**
 * Every way to write a payment differently that anybody thought of: by part, member and spelling.
 *
 * Each says whether the service has to take it for the same payment or to refuse it; there is no third.
 */
import type { PaymentPayload } from '@x402/core/types'
import { encodeAbiParameters, parseAbiParameters } from 'viem'

export interface PaymentMutation {
  readonly name: string
  readonly meaning: 'same' | 'refused'
  /** The text of the header. */
  write(payload: PaymentPayload): string
}

type Loose = Record<string, unknown>
type Bend = (document: Loose) => unknown

const PARTS: Readonly<Record<string, (document: Loose) => Loose>> = {
  payment: (document) => document,
  accepted: (document) => document.accepted as Loose,
  extra: (document) => (document.accepted as Loose).extra as Loose,
  payload: (document) => document.payload as Loose,
  authorization: (document) => (document.payload as Loose).authorization as Loose,
}
const partOf = (document: Loose, part: string): Loose => (PARTS[part] as (document: Loose) => Loose)(document)

const base64 = (text: string | Buffer) => Buffer.from(text).toString('base64')
const written = (document: unknown) => base64(JSON.stringify(document))
const copyOf = (payload: PaymentPayload) => structuredClone(payload) as unknown as Loose

const bent = (meaning: PaymentMutation['meaning'], name: string, bend: Bend): PaymentMutation => ({
  name,
  meaning,
  write: (payload) => {
    const document = copyOf(payload)
    return written(bend(document) ?? document)
  },
})
const spelt = (
  meaning: PaymentMutation['meaning'],
  name: string,
  write: (json: string, payload: PaymentPayload) => string,
): PaymentMutation => ({ name, meaning, write: (payload) => write(JSON.stringify(payload), payload) })

type Change = readonly [what: string, change: (member: string) => unknown]

const put = (
  meaning: PaymentMutation['meaning'],
  part: string,
  member: string,
  [what, change]: Change,
): PaymentMutation =>
  bent(meaning, `${part}.${member}: ${what}`, (document) => {
    const members = partOf(document, part)
    members[member] = change(String(members[member]))
  })

/** What no member may be, whatever it is. */
const FOREIGN: readonly Change[] = [
  ['null', () => null],
  ['true', () => true],
  ['an empty text', () => ''],
  ['an empty list', () => []],
  ['an empty object', () => ({})],
  ['in a list', (member) => [member]],
  ['in an object', (member) => ({ value: member })],
  ['a negative number', () => -1],
  ['a fraction', () => 0.5],
  ['a huge number', () => 1e300],
  ['with a space before', (member) => ` ${member}`],
  ['with a space behind', (member) => `${member} `],
  ['with a NUL behind', (member) => `${member}\u0000`],
  ['with a line end behind', (member) => `${member}\n`],
  ['twice', (member) => member + member],
  ['in full width', (member) => member.replace(/\d/, (digit) => String.fromCharCode(0xff10 + Number(digit)))],
]

const REFUSED_NUMBERS: readonly Change[] = [
  ['hexadecimal', (member) => `0x${BigInt(member).toString(16)}`],
  ['with a leading zero', (member) => `0${member}`],
  ['with a plus', (member) => `+${member}`],
  ['with a minus', (member) => `-${member}`],
  ['with an exponent', (member) => `${member}e0`],
  ['with a fraction', (member) => `${member}.0`],
  ['with separators', (member) => `${member}_000`],
  ['with a comma', (member) => `${member},0`],
  ['plus 2^256', (member) => String(BigInt(member) + 2n ** 256n)],
  ['minus 2^256', (member) => String(BigInt(member) - 2n ** 256n)],
  ['2^256 - 1', () => String(2n ** 256n - 1n)],
  ['one more', (member) => String(BigInt(member) + 1n)],
  ['in Arabic digits', (member) => member.replace(/\d/g, (d) => String.fromCharCode(0x660 + Number(d)))],
]

const REFUSED_HEX: readonly Change[] = [
  ['without 0x', (member) => member.slice(2)],
  ['with 0x twice', (member) => `0x${member}`],
  ['a digit short', (member) => member.slice(0, -1)],
  ['a byte short', (member) => member.slice(0, -2)],
  ['a byte long', (member) => `${member}00`],
  ['zero-padded', (member) => `0x00${member.slice(2)}`],
  ['with a letter that is no digit', (member) => `${member.slice(0, -1)}g`],
  ['with a look-alike digit', (member) => `${member.slice(0, -1)}а`],
  ['all zeros', (member) => `0x${'0'.repeat(member.length - 2)}`],
  ['a bit off', (member) => flipDigit(member, 10)],
  ['a number', () => 7],
]

const SAME_HEX: readonly Change[] = [
  ['in upper case', (member) => `0x${member.slice(2).toUpperCase()}`],
  ['in lower case', (member) => member.toLowerCase()],
  ['in upper case throughout', (member) => member.toUpperCase()],
  [
    'in mixed case',
    (member) =>
      `0x${[...member.slice(2)].map((sign, at) => (at % 2 ? sign.toUpperCase() : sign.toLowerCase())).join('')}`,
  ],
]

const SAME_NUMBERS: readonly Change[] = [['as a number', Number]]

const ADDRESSES = [
  ['authorization', 'from'],
  ['authorization', 'to'],
  ['authorization', 'nonce'],
  ['payload', 'signature'],
] as const
const NUMBERS = ['value', 'validAfter', 'validBefore'] as const
const TERMS = ['scheme', 'network', 'amount', 'asset', 'payTo', 'maxTimeoutSeconds'] as const
const EXTRAS = ['name', 'version'] as const

function flipDigit(hex: string, at: number, bit = 1): string {
  const digit = Number.parseInt(hex.charAt(at), 16) ^ bit
  return hex.slice(0, at) + digit.toString(16) + hex.slice(at + 1)
}

const OTHER = `0x${'12'.repeat(20)}` as const
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const half = (text: string, at: 0 | 1) => text.slice(2 + 64 * at, 66 + 64 * at)
const word = (number: bigint) => number.toString(16).padStart(64, '0')

/** As of a wallet that does not exist yet (ERC-6492), made by a factory that does not either. */
const wrapped = (text: string) =>
  encodeAbiParameters(parseAbiParameters('address, bytes, bytes'), [OTHER, '0x1234', text as `0x${string}`]) +
  '6492'.repeat(16)

const SIGNATURES: readonly Change[] = [
  [
    'with s in the upper half',
    (text) =>
      `0x${half(text, 0)}${word(ORDER - BigInt(`0x${half(text, 1)}`))}${text.endsWith('1b') ? '1c' : '1b'}`,
  ],
  [
    'with s in the upper half and the same v',
    (text) => `0x${half(text, 0)}${word(ORDER - BigInt(`0x${half(text, 1)}`))}${text.slice(-2)}`,
  ],
  ['with r and s swapped', (text) => `0x${half(text, 1)}${half(text, 0)}${text.slice(-2)}`],
  [
    'with r plus the order',
    (text) => `0x${word((BigInt(`0x${half(text, 0)}`) + ORDER) % 2n ** 256n)}${text.slice(66)}`,
  ],
  ['with the other v', (text) => `${text.slice(0, -2)}${text.endsWith('1b') ? '1c' : '1b'}`],
  ['with v of EIP-155', (text) => `${text.slice(0, -2)}${text.endsWith('1b') ? '25' : '26'}`],
  ['with the other v of 0 or 1', (text) => `${text.slice(0, -2)}${text.endsWith('1b') ? '01' : '00'}`],
  ['compact with the other parity', (text) => compact(text, text.endsWith('1b'))],
  ['compact, a byte short', (text) => text.slice(0, -4)],
  ['with a byte behind', (text) => `${text}00`],
  ['with a word behind', (text) => `${text}${'00'.repeat(32)}`],
  ['wrapped for an undeployed wallet, around nothing', (text) => `${text}${'6492'.repeat(16)}`],
  ['wrapped for a wallet that is not there', wrapped],
  ['of the longest kind', () => `0x${'ab'.repeat(8191)}`],
  ['over the longest kind', () => `0x${'ab'.repeat(8193)}`],
]

const compact = (text: string, isOdd: boolean) =>
  `0x${half(text, 0)}${word(BigInt(`0x${half(text, 1)}`) | (isOdd ? 2n ** 255n : 0n))}`

/** How wallets write it that leave 27 out, or that pack the parity into s. */
const SAME_SIGNATURES: readonly Change[] = [
  ['with v 0 or 1', (text) => `${text.slice(0, -2)}${text.endsWith('1b') ? '00' : '01'}`],
  ['compact, EIP-2098', (text) => compact(text, text.endsWith('1c'))],
]

/** Each bit of v, and one bit in every second byte of r and s. */
const FLIPPED: readonly Change[] = [
  ...Array.from(
    { length: 32 },
    (_, at): Change => [
      `bit flipped in byte ${2 * at}`,
      (text) => flipDigit(text, 2 + 4 * at, 1 << (at % 4)),
    ],
  ),
  ...[1, 2, 4, 8].flatMap((bit): Change[] => [
    [`bit ${bit} flipped in v's low half`, (text) => flipDigit(text, 131, bit)],
    [`bit ${bit} flipped in v's high half`, (text) => flipDigit(text, 130, bit)],
  ]),
]

/** A change of digits changes nothing where there is none; a signature with v of 27 without v is in form (EIP-2098). */
const UNCHANGED: ReadonlySet<string> = new Set([
  'accepted.scheme: in full width',
  'extra.name: in full width',
  'payload.signature: a byte short',
])

const bentMembers: readonly PaymentMutation[] = [
  ...ADDRESSES.flatMap(([part, member]) => [
    ...[...FOREIGN, ...REFUSED_HEX].map((change) => put('refused', part, member, change)),
    ...SAME_HEX.map((change) => put('same', part, member, change)),
  ]),
  ...NUMBERS.flatMap((member) => [
    ...[...FOREIGN, ...REFUSED_NUMBERS].map((change) => put('refused', 'authorization', member, change)),
    ...SAME_NUMBERS.map((change) => put('same', 'authorization', member, change)),
  ]),
  ...TERMS.flatMap((member) => FOREIGN.map((change) => put('refused', 'accepted', member, change))),
  ...EXTRAS.flatMap((member) => FOREIGN.map((change) => put('refused', 'extra', member, change))),
  ...(['asset', 'payTo'] as const).flatMap((member) =>
    SAME_HEX.map((change) => put('same', 'accepted', member, change)),
  ),
  ...[...SIGNATURES, ...FLIPPED].map((change) => put('refused', 'payload', 'signature', change)),
  ...SAME_SIGNATURES.map((change) => put('same', 'payload', 'signature', change)),
].filter(({ name }) => !UNCHANGED.has(name))

const missingMembers: readonly PaymentMutation[] = [
  ['payment', 'x402Version'],
  ['payment', 'accepted'],
  ['payment', 'payload'],
  ['accepted', 'extra'],
  ...TERMS.map((member) => ['accepted', member] as const),
  ...EXTRAS.map((member) => ['extra', member] as const),
  ['payload', 'authorization'],
  ...ADDRESSES,
  ...NUMBERS.map((member) => ['authorization', member] as const),
].map(([part, member]) =>
  bent('refused', `${part}.${member}: missing`, (document) => {
    delete partOf(document, part as string)[member as string]
  }),
)

const otherTerms: readonly PaymentMutation[] = [
  ['scheme', 'upto'],
  ['scheme', 'EXACT'],
  ['network', 'eip155:84532'],
  ['network', 'base'],
  ['network', 'EIP155:8453'],
  ['amount', '999'],
  ['amount', '1001'],
  ['amount', '01000'],
  ['amount', '1000.0'],
  ['amount', 1000],
  ['asset', OTHER],
  ['payTo', OTHER],
  ['maxTimeoutSeconds', 121],
  ['maxTimeoutSeconds', '120'],
  ['extra', { name: 'USDC', version: '2' }],
  ['extra', { name: 'USD Coin', version: '1' }],
  ['extra', { name: 'USD Coin', version: 2 }],
  ['extra', { NAME: 'USD Coin', version: '2' }],
].map(([member, value]) =>
  bent('refused', `accepted.${member}: ${JSON.stringify(value)}`, (document) => {
    partOf(document, 'accepted')[member as string] = value
  }),
)

const JUNK: Loose = { junk: 'x'.repeat(100), value: '0', nonce: '0x00', x402Version: 1, amount: '1', '': {} }

const decorated: readonly PaymentMutation[] = [
  ...['payment', 'accepted', 'extra', 'payload', 'authorization'].flatMap((part) => [
    bent('same', `${part}: unknown members`, (document) => {
      const members = partOf(document, part)
      for (const [name, value] of Object.entries(JUNK)) if (!(name in members)) members[name] = value
    }),
    bent('same', `${part}: its members in reverse`, (document) => {
      const members = partOf(document, part)
      const entries = Object.entries(members).reverse()
      for (const [name] of entries) delete members[name]
      Object.assign(members, Object.fromEntries(entries))
    }),
    spelt('same', `${part}: a "__proto__" of its own`, (json, payload) => {
      const inner = JSON.stringify(partOf(copyOf(payload), part))
      return base64(json.replace(inner, `{"__proto__":{"value":"0","nonce":"0x"},${inner.slice(1)}`))
    }),
  ]),
  bent('same', 'another resource', (document) => ({
    ...document,
    resource: { url: 'https://other.example/x', description: 'x', mimeType: 'text/plain' },
  })),
  bent('same', 'no extensions', ({ extensions: _, ...rest }) => rest),
  bent('same', 'unknown extensions', (document) => ({
    ...document,
    extensions: { unknown: { info: {}, schema: {} } },
  })),
  bent('refused', 'a malformed identifier', (document) => ({
    ...document,
    extensions: { 'payment-identifier': { info: { id: 'short' }, schema: {} } },
  })),
]

const frames: readonly PaymentMutation[] = [
  ...[0, 1, 3, -2, 2.5, '2', null, [2]].map((version) =>
    bent('refused', `x402Version: ${JSON.stringify(version)}`, (document) => ({
      ...document,
      x402Version: version,
    })),
  ),
  bent('same', 'the shape of version 1', ({ payload }) => ({
    x402Version: 1,
    scheme: 'exact',
    network: 'base',
    payload,
  })),
  bent('refused', 'a list of it', (document) => [document]),
  bent('refused', 'two in a list', (document) => [document, document]),
  bent('refused', 'its text', (document) => JSON.stringify(document)),
  bent('refused', 'inside a member', (document) => ({ payment: document })),
  bent('refused', 'its payload in a list', (document) => ({ ...document, payload: [document.payload] })),
  bent('refused', 'its authorization in a list', (document) => ({
    ...document,
    payload: { ...(document.payload as Loose), authorization: [partOf(document, 'authorization')] },
  })),
  bent('refused', 'the authorization one level up', (document) => ({
    ...document,
    payload: { signature: (document.payload as Loose).signature, ...partOf(document, 'authorization') },
  })),
  bent('refused', 'as a Permit2 payload', (document) => ({
    ...document,
    payload: {
      signature: (document.payload as Loose).signature,
      permit2Authorization: partOf(document, 'authorization'),
    },
  })),
  bent('refused', 'nothing', () => ({})),
]

const doubled = (member: string, first: string) => (json: string) =>
  base64(json.replace(`"${member}":`, `"${member}":${first},"${member}":`))

const spellings: readonly PaymentMutation[] = [
  spelt('same', 'indented', (_json, payload) => base64(JSON.stringify(payload, null, 2))),
  spelt('same', 'with tabs and line ends', (_json, payload) =>
    base64(JSON.stringify(payload, null, '\t').replaceAll('\n', '\r\n')),
  ),
  spelt('same', 'with spaces around', (json) => base64(` \n${json}\t `)),
  spelt('same', 'every letter escaped', (json) =>
    base64(
      json.replace(
        /[a-z](?=[^"]*"[:,}])/gi,
        (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
      ),
    ),
  ),
  spelt('same', 'without padding', (json) => base64(json).replace(/=+$/, '')),
  ...['nonce', 'value', 'from', 'to', 'validBefore', 'signature', 'amount', 'payTo', 'x402Version'].map(
    (member) => spelt('same', `${member} given twice, the last one right`, doubled(member, '"0"')),
  ),
  spelt('same', 'numbers with exponents', (json) => base64(json.replace('"value":"1000"', '"value":1e3'))),
  spelt('same', 'numbers with fractions of zero', (json) =>
    base64(json.replace('"value":"1000"', '"value":1000.0')),
  ),
  spelt('same', 'a zero with a minus', (json) => base64(json.replace('"validAfter":"0"', '"validAfter":-0'))),
  spelt('refused', 'not in base64', (json) => json),
  spelt('refused', 'in base64 twice', (json) => base64(base64(json))),
  spelt('refused', 'in hexadecimal', (json) => Buffer.from(json).toString('hex')),
  spelt('refused', 'in UTF-16', (json) => base64(Buffer.from(json, 'utf16le'))),
  spelt('refused', 'behind a byte order mark', (json) => base64(`\ufeff${json}`)),
  spelt('refused', 'with something behind', (json) => base64(`${json}x`)),
  spelt('refused', 'cut off', (json) => base64(json.slice(0, -1))),
  spelt('refused', 'two of them', (json) => base64(json + json)),
  spelt('refused', 'two headers in one', (json) => `${base64(json)}, ${base64(json)}`),
  spelt('refused', 'with a space inside', (json) => `${base64(json).slice(0, 40)} ${base64(json).slice(40)}`),
  spelt(
    'refused',
    'with a line end inside',
    (json) => `${base64(json).slice(0, 40)}\n${base64(json).slice(40)}`,
  ),
  spelt('refused', 'with too much padding', (json) => `${base64(json).replace(/=+$/, '')}===`),
  spelt('refused', 'as a data URL', (json) => `data:application/json;base64,${base64(json)}`),
  spelt('refused', 'with a comment', (json) => base64(json.replace('{', '{/* */'))),
  spelt('refused', 'with a comma at the end', (json) => base64(json.replace(/\}$/, ',}'))),
  spelt('refused', 'with NaN', (json) => base64(json.replace('"value":"1000"', '"value":NaN'))),
  spelt('refused', 'with single quotes', (json) => base64(json.replaceAll('"', "'"))),
  ...['nonce', 'value', 'from', 'signature', 'amount'].map((member) =>
    spelt('refused', `${member} given twice, the first one right`, (json) =>
      base64(json.replace(new RegExp(`("${member}":"[^"]*")`), `$1,"${member}":"0"`)),
    ),
  ),
  ...[8, 24, 400, 4000].map((depth) =>
    spelt(depth > 5000 ? 'refused' : 'same', `with a member nested ${depth} deep`, (json) =>
      base64(json.replace(/\}$/, `,"deep":${'['.repeat(depth)}${']'.repeat(depth)}}`)),
    ),
  ),
]

/** All of them; names are unique. */
export const PAYMENT_MUTATIONS: readonly PaymentMutation[] = [
  ...bentMembers,
  ...missingMembers,
  ...otherTerms,
  ...decorated,
  ...frames,
  ...spellings,
]
