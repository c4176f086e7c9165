/** The one form of words that orders: what is it, and what is not, however clearly it asks. */
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { CHECK_TYPES, type CheckType } from 'format-checker-checks/verdict'
import { describe, expect, it } from 'vitest'
import { mentionFinder } from '../../../../src/surfaces/a2a/text/find-mention.ts'
import { orderReader } from '../../../../src/surfaces/a2a/text/read-order.ts'
import { realRegistry } from '../../../support/registry.ts'
import { compactVectors } from '../../../support/vectors.ts'

const skills = realRegistry()
const readItems = orderReader(skills)
const findMention = mentionFinder(skills)
const read = (text: string) => readItems(text)?.map(({ skill, value }) => `${skill.id}=${value}`)

describe('an order in words', () => {
  it.each([
    ['iban DE89370400440532013000', 'iban=DE89370400440532013000'],
    ['iban DE89 3704 0044 0532 0130 00', 'iban=DE89 3704 0044 0532 0130 00'],
    ['Check IBAN: GB82 WEST 1234 5698 7654 32', 'iban=GB82 WEST 1234 5698 7654 32'],
    ['VALIDATE iban number MT84MALT011000012345MTLCAST001S', 'iban=MT84MALT011000012345MTLCAST001S'],
    ['International Bank Account Number: DE89', 'iban=DE89'],
    ['iban de 89 3704', 'iban=de 89 3704'],
    ['iban DEABC12345', 'iban=DEABC12345'],
    ['iban NO 93 8601 1117 947', 'iban=NO 93 8601 1117 947'],
    ['EU VAT: PL5260250274', 'eu-vat=PL5260250274'],
    ['verify vat id\tATU 13585627', 'eu-vat=ATU 13585627'],
    ['vat no. IE 3206488 LH', 'eu-vat=IE 3206488 LH'],
    ['partita iva:IT12345678903', 'eu-vat=IT12345678903'],
    ['eu_vat el123456789', 'eu-vat=el123456789'],
    ['nip PL 526-025-02-74', 'pl-nip=PL 526-025-02-74'],
    ['NIP UE PL5260250274', 'eu-vat=PL5260250274'],
    ['validate_pl_nip 526.025.02.74', 'pl-nip=526.025.02.74'],
    ['nip 1', 'pl-nip=1'],
    ['nip 52602502740000', 'pl-nip=52602502740000'],
    ['regon 123/456/785', 'pl-regon=123/456/785'],
    ['PESEL 440514-01359', 'pl-pesel=440514-01359'],
    ['  pesel  :  44051401359  \r\n\r\n', 'pl-pesel=44051401359'],
    ['e-mail user+tag@Example.COM', 'email=user+tag@Example.COM'],
    ["email o'brien@example.com", "email=o'brien@example.com"],
    ['email jan@example', 'email=jan@example'],
    ['email jän@пример.рф', 'email=jän@пример.рф'],
  ])('%j is one', (text, item) => {
    expect(read(text)).toEqual([item])
  })

  it('of several lines is a list, of several types too', () => {
    expect(read('nip 1\n\n check vat PL5260250274\r\nemail: a@b.pl')).toEqual([
      'pl-nip=1',
      'eu-vat=PL5260250274',
      'email=a@b.pl',
    ])
  })

  it.each([
    'Is DE89370400440532013000 a valid IBAN?',
    'please check iban DE89370400440532013000',
    'check the iban DE89370400440532013000',
    'check my NIP 5260250274',
    "don't check iban DE89370400440532013000",
    'iban DE89370400440532013000.',
    'iban DE89370400440532013000?',
    'iban DE89370400440532013000 please',
    'iban "DE89370400440532013000"',
    'iban is DE89370400440532013000',
    'iban: : DE89',
    'iban DE89  3704',
    'iban DE89\u00a03704',
    'iban DE89 3704\u0000',
    'iban DE89, FR14',
    'iban DEABCD12345',
    'iban holder 89370400440532013000',
    'iban no 93 8601 1117 947',
    'iban No. 938601',
    'iban NO.9386011117947',
    'nip nr.5260250274',
    'iban is 12345',
    'iban zz 12345',
    'iban 1 de 23',
    'iban ABCDE 12345678',
    'iban ABCD',
    'iban DE89ABCDEF',
    'iban 123456789012345678901234567890123456',
    'nip 526025027400000',
    'nip 526*025',
    'nip -5260250274',
    'vat PL５２６０２５０２７４',
    'iban DE89370400440532013000\nthank you',
    'iban\nDE89370400440532013000',
    'DE89370400440532013000',
    'a@b.pl',
    'email a@b.pl.',
    'email a@b.pl!',
    'email <a@b.pl>',
    'email a@b@c',
    'email someone@',
    'email a@b.pl;c@d.pl',
    "email 'a@b.pl'",
    'email “a@b.pl”',
    'email a@b.pl?',
    'email a b@c.pl',
    'email a\u0007@b.pl',
    'email John',
    'iban',
    'iban:',
    'check',
    '```\niban DE89370400440532013000\n```',
    '{"iban":"DE89370400440532013000"',
    '',
    ' \n ',
  ])('%j orders nothing', (text) => {
    expect(read(text)).toBeUndefined()
  })

  it('has at most 4,000 characters', () => {
    expect(read('nip 1'.padEnd(4_000))).toEqual(['pl-nip=1'])
    expect(read('nip 1'.padEnd(4_001))).toBeUndefined()
  })

  const ofType = fc.constantFrom(...CHECK_TYPES).chain((type: CheckType) => {
    const skill = skills.get(type)
    if (skill === undefined) throw new Error(type)
    return fc.record({
      type: fc.constant(type),
      verb: fc.constantFrom('', 'check ', 'Validate ', 'VERIFY\t'),
      name: fc.constantFrom(skill.id, skill.operationId, ...skill.aliases, ...skill.orders),
      separator: fc.constantFrom(' ', ': ', ':', ' : ', '\t'),
      value: fc.constantFrom(...compactVectors(type).map(({ value }) => value)),
    })
  })
  const lineOf = ({
    verb,
    name,
    separator,
    value,
  }: typeof ofType extends fc.Arbitrary<infer T> ? T : never) => `${verb}${name}${separator}${value}`

  it('is read with every name, verb and separator, and one other line makes all of it another text', () => {
    const isOrdinary = ({ type, value }: { type: CheckType; value: string }) =>
      skills.get(type)?.outline.kind === 'text'
        ? !/["\s(),;[\]{}<>?`]|[.']$|^'/.test(value) && value.split('@').length === 2
        : value.replace(/\D/g, '').length * 2 >= value.length
    fc.assert(
      fc.property(fc.array(ofType, { minLength: 1, maxLength: 5 }), fc.nat(), (lines, at) => {
        fc.pre(lines.every(isOrdinary))
        const text = lines.map(lineOf)
        expect(read(text.join('\n'))).toEqual(lines.map(({ type, value }) => `${type}=${value}`))
        for (const other of ['thanks', `is ${text[0]} right`, `${text[0]} ok`, `not ${text[0]}`]) {
          const mixed = text.toSpliced(at % (text.length + 1), 0, other)
          expect(read(mixed.join('\n')), mixed.join('\n')).toBeUndefined()
        }
      }),
    )
  })

  it('holds nothing but names and values: of any text, what is read is what was written', () => {
    const pieces = fc.constantFrom(
      'iban',
      'nip',
      'check',
      ' ',
      ':',
      '\n',
      '1',
      'DE89',
      '@',
      'a',
      '.',
      'email',
      '"',
    )
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 12 }), (written) => {
        const text = written.join('')
        const items = readItems(text)
        if (items === undefined) return
        const lines = text.split('\n').filter((line) => line.trim() !== '')
        expect(items).toHaveLength(lines.length)
        for (const [index, { value }] of items.entries())
          expect(lines[index]?.trimEnd().endsWith(value)).toBe(true)
      }),
    )
  })
})

describe('a text that is no order', () => {
  it.each([
    ['Is NL91 ABNA 0417 1643 00 a valid IBAN?', 'iban NL91 ABNA 0417 1643 00'],
    ['is nl91abna0417164300 a valid iban', 'iban nl91abna0417164300'],
    ['On 2026-11-23 check the NIP 526-025-02-74', 'pl-nip 526-025-02-74'],
    ['my nip is 12345', 'pl-nip 12345'],
    ['my nip is 12345, not 123', 'pl-nip'],
    ['NIP for ACME: 5260250274 ASAP', 'pl-nip 5260250274'],
    ['Prüfe die USt-IdNr. DE 136 695 976 bitte', 'eu-vat DE 136 695 976'],
    ["L'IBAN è DE89370400440532013000?", 'iban DE89370400440532013000'],
    ['Write to anna@example.com.', 'email anna@example.com'],
    ['@anna: hello', 'none'],
    ['Account DE89370400440532013000', 'iban DE89370400440532013000'],
    ['Account XX12 3456 7890 1234', 'iban XX12 3456 7890 1234'],
    ['How many digits has a PESEL?', 'pl-pesel'],
    ['nip 5260250274 or 1234563218', 'several'],
    ['is it a NIP or a REGON', 'several'],
    ['a@b.pl c@d.pl', 'several'],
    ['DE89370400440532013000 and a@b.pl', 'several'],
    ['hello', 'none'],
    ['44051401359', 'none'],
    ['IBAN '.padEnd(4_001), 'none'],
  ])('%j mentions %s', (text, expected) => {
    const mention = findMention(text)
    const found = mention.kind === 'one' ? `${mention.skill.id} ${mention.value ?? ''}`.trim() : mention.kind
    expect(found).toBe(expected)
  })
})

describe('the texts of test/vectors/texts.json', () => {
  type Texts = Readonly<Record<CheckType | 'help', readonly string[]>>
  const { help, ...orders }: Texts = JSON.parse(
    readFileSync(new URL('../../../vectors/texts.json', import.meta.url), 'utf8'),
  )

  it('that order nothing clear are not quoted, except a list in the form', () => {
    expect(help).toHaveLength(300)
    expect(help.filter((text) => readItems(text) !== undefined)).toEqual([
      'VAT DE136695976\nVAT ATU13585627\nVAT IE6388047V',
    ])
  })

  it.each(
    Object.entries(orders),
  )('that clearly order %s: 85 in 100 are sold or helped with it', (type, texts) => {
    const isRight = (text: string) => {
      const items = readItems(text)
      if (items !== undefined) return items.length === 1 && items[0].skill.id === type
      const mention = findMention(text)
      return mention.kind === 'one' && mention.skill.id === type
    }
    const others = texts.filter((text) => readItems(text) !== undefined && !isRight(text))
    expect(others).toEqual([])
    expect(texts.filter(isRight).length / texts.length).toBeGreaterThanOrEqual(0.85)
  })
})
