import type { SeededRandom } from '../support/seeded-random.ts'

/** A marker in place of a buyer's value: no answer and no log may contain it. */
export const CANARY = 'zqCanary7f3eKw'

/** Strings that have broken parsers, loggers, stores and pages of others; most of them name the canary. */
export const HOSTILE_TEXTS: readonly string[] = [
  CANARY,
  `${CANARY}@example.com`,
  `DE89${CANARY}370400440532013000`,
  'DE89370400440532013000',
  'PL5260001246',
  '44051401359',
  '',
  ' ',
  '0',
  '-1',
  '1e309',
  '0x3e8',
  '\u0000',
  `\u0000${CANARY}\u0000`,
  '\ud800',
  '\udfff\ud800',
  '\ufeff',
  '\u202e\u2066',
  '\u2028\u2029',
  'e\u0301'.repeat(100),
  '\ufb01'.repeat(30),
  '\u{1f9ff}'.repeat(256),
  `${CANARY}`.repeat(40),
  'A'.repeat(512),
  'A'.repeat(513),
  'A'.repeat(5000),
  `<script>${CANARY}</script>`,
  `{{${CANARY}}}\${${CANARY}}`,
  `'; DROP TABLE payments; -- ${CANARY}`,
  `../../../../${CANARY}`,
  `${CANARY}\r\nX-Injected: 1\r\n\r\n`,
  '%00%0d%0a%c0%ae',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
]

/** Leaves of every other type a JSON text can hold. */
const HOSTILE_LEAVES: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -0,
  1,
  -1,
  1.5,
  2 ** 31,
  2 ** 53,
  -(2 ** 63),
  1e308,
  [],
  {},
  [[]],
  [null],
  { length: 1 },
  { toString: CANARY },
  { toJSON: 1 },
]

export const hostileText = (random: SeededRandom): string =>
  random.int(12) === 0 ? noise(random, 1 + random.int(64)) : random.pick(HOSTILE_TEXTS)

export const hostileLeaf = (random: SeededRandom): unknown =>
  random.int(2) === 0 ? hostileText(random) : structuredClone(random.pick(HOSTILE_LEAVES))

/** Code units of every kind, lone surrogates among them. */
function noise(random: SeededRandom, length: number): string {
  const ranges = [0x7f, 0x7f, 0xff, 0x2fff, 0xffff]
  return String.fromCharCode(...Array.from({ length }, () => random.int(random.pick(ranges) + 1)))
}
