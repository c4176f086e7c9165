import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CHECKS } from '../src/checks.ts'
import { type CharacterClass, characterClassAt } from '../src/text/character-class.ts'
import { CHECK_TYPES, type CheckType } from '../src/verdict.ts'

const CLASSES: readonly (readonly [CharacterClass, string, readonly number[]])[] = [
  [
    'zero_width',
    'zero-width, joining, variation and tag characters',
    [0xad, 0x200b, 0x200d, 0x2060, 0xfe0f, 0xfeff],
  ],
  ['zero_width', 'tag characters', [0xe0001, 0xe0041, 0xe007f]],
  ['bidi_control', 'direction controls', [0x61c, 0x200e, 0x200f, 0x202a, 0x202e, 0x2066, 0x2069]],
  ['control', 'C0 and C1 controls and line separators', [0, 0x0a, 0x1f, 0x7f, 0x85, 0x9f, 0x2028, 0x2029]],
  ['non_ascii_digit', 'digits of other scripts and styles', [0x661, 0x967, 0xff15, 0xb2, 0x2460, 0x1d7d8]],
  [
    'confusable_letter',
    'letters that mappings turn into ASCII',
    [0xfb01, 0xfb06, 0x17f, 0x131, 0xdf, 0x212a, 0xff21],
  ],
  ['confusable_letter', 'Cyrillic and Greek look-alikes', [0x410, 0x415, 0x43e, 0x391, 0x39f]],
  ['other_non_ascii', 'anything else', [0xe4, 0x142, 0x4e2d, 0x1f600, 0x3000, 0x2022, 0x2014]],
  ['punctuation', 'ASCII signs', [0x21, 0x2f, 0x3a, 0x40, 0x5f, 0x7e]],
  ['letter', 'ASCII letters', [0x41, 0x7a]],
]

describe('character classes', () => {
  test.each(CLASSES)('%s: %s', (expected, _what, points) => {
    for (const point of points) expect(characterClassAt(String.fromCodePoint(point), 0)).toBe(expected)
  })
})

test('a position counts code points, not UTF-16 units', () => {
  const unit = fc.constantFrom(...'PLDE0123456789 -.@ab+*', '\u{1f600}', '\u{1d7d8}', '\u200b', '\u0410')
  const value = fc.string({ unit, minLength: 1, maxLength: 30 })
  fc.assert(
    fc.property(fc.constantFrom(...CHECK_TYPES), value, (type, text) => {
      const { position, characterClass } = CHECKS[type](text).details
      if (characterClass === undefined) return true
      const point = [...text][position!]!
      return characterClassAt(point, 0) === characterClass
    }),
    {
      numRuns: 3_000,
      examples: [
        ['email', 'P@P.P \u0410'],
        ['email', '-.\u200b P@P.PL76'],
        ['iban', 'DE89370400440532013000 \u0416'],
        ['pl-nip', '5260250274 \u0416'],
      ],
    },
  )
})

describe('letters that case mapping turns into a country code', () => {
  const traps: readonly (readonly [CheckType, string, string])[] = [
    ['iban', '\ufb012112345600000785', 'FI2112345600000785'],
    ['iban', '\u017fE4550000000058398257466', 'SE4550000000058398257466'],
    ['iban', '\u0131T60X0542811101000000123456', 'IT60X0542811101000000123456'],
    ['iban', '\u212aW81CBKU0000000000001234560101', 'KW81CBKU0000000000001234560101'],
    ['iban', '\ufb0623000100010051845310146', 'ST23000100010051845310146'],
    ['eu-vat', '\ufb0120774740', 'FI20774740'],
    ['eu-vat', '\u0131T00743110157', 'IT00743110157'],
    ['eu-vat', '\u017fE556188840401', 'SE556188840401'],
  ]

  test.each(traps)('%s trap', (type, trap, plain) => {
    expect(CHECKS[type](plain).valid).toBe(true)
    expect(CHECKS[type](trap).details).toMatchObject({
      code: 'invalid_character',
      position: 0,
      characterClass: 'confusable_letter',
      hint: 'confusable_character',
    })
  })

  test('a long s in a label is no label', () => {
    expect(CHECKS['pl-pesel']('PE\u017fEL44051401359').details.code).toBe('invalid_character')
    expect(CHECKS['pl-pesel']('PESEL44051401359').details.code).toBe('label_prefix')
  })
})

describe('digits that are not ASCII', () => {
  test.each([0x660, 0x6f0, 0x966, 0xff10, 0x1d7d8, 0x1d7f6])('zero at U+%d', (zero) => {
    const foreign = String.fromCodePoint(...[...'5260250274'].map((digit) => zero + Number(digit)))
    expect(CHECKS['pl-nip'](foreign).details).toMatchObject({
      position: 0,
      characterClass: 'non_ascii_digit',
    })
  })
})

test('a look-alike is named only where no other digit would do as well', () => {
  // A REGON whose remainder is 10 ends with 0, as one whose remainder is 0 does.
  expect(CHECKS['pl-regon']('0003315010000\u041e').details.hint).toBe('confusable_character')
  expect(CHECKS['pl-regon']('000331501\u041e0000').details.hint).toBeUndefined()
})
