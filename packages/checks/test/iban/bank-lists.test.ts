import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { BANK_SOURCES, fileOf, readBankFile, tooOld, writeBanks } from '../../../../scripts/bank-lists.ts'
import { ROOT } from '../../../../test/support/command.ts'
import { vectors } from '../../../../test/support/vectors.ts'
import { CHECKS } from '../../src/checks.ts'
import { BANK_LISTS, type Bank, type BankList, bankFinder, readBanks } from '../../src/iban/bank-lists.ts'
import { ibanCheck } from '../../src/iban/check-iban.ts'
import { ibanCountry } from '../../src/iban/countries.ts'
import { IBAN } from '../../src/iban/profile.ts'

const DATA = new URL('../../src/iban/bank-lists.generated.json', import.meta.url)

describe('the lists', () => {
  it.each(Object.entries(BANK_LISTS))('of %s are in form', (country, list) => {
    const { start, end } = ibanCountry(country)!.segments[0]!
    const banks = readBanks(list)
    expect(banks.size).toBeGreaterThan(15)
    expect(list.asOf).toMatch(/^20\d\d-\d\d-\d\d$/)
    for (const [code, { name, bic }] of banks) {
      expect(code).toMatch(new RegExp(`^\\d{${end - start}}$`))
      expect(name).toMatch(/^\S+(?: \S+)*$/)
      if (bic !== undefined) expect(bic).toMatch(/^[A-Z]{6}[A-Z0-9]{2}(?:[A-Z0-9]{3})?$/)
    }
  })

  it('warn in Germany and Austria alone, and tell of an absent code in four countries', () => {
    const those = (has: 'warns' | 'tells') =>
      Object.keys(BANK_LISTS).filter((country) => BANK_LISTS[country]![has])
    expect([those('warns'), those('tells')]).toEqual([
      ['AT', 'DE'],
      ['AT', 'CZ', 'DE', 'PL'],
    ])
  })

  it('are those that the script writes of the same banks', () => {
    const again = Object.entries(BANK_LISTS).map(([country, list]) => {
      const { source, tells, warns } = BANK_SOURCES[country]!
      return [country, { source, asOf: list.asOf, tells, warns, banks: writeBanks(readBanks(list)) }] as const
    })
    expect(fileOf(Object.fromEntries(again))).toBe(readFileSync(DATA, 'utf8'))
  })

  it('are read as they were written', () => {
    const code = fc.stringMatching(/^\d{5}$/)
    const bank = fc
      .tuple(fc.constantFrom('A', 'B c', 'D, "e"'), fc.constantFrom(undefined, 'ABCDEF22', 'ABCDEF22XXX'))
      .map(([name, bic]): Bank => (bic === undefined ? { name } : { name, bic }))
    fc.assert(
      fc.property(fc.array(fc.tuple(code, bank), { maxLength: 40 }), (pairs) => {
        const banks = new Map(pairs.toSorted(([one], [other]) => (one < other ? -1 : 1)))
        const read = readBanks({ banks: writeBanks(banks) })
        expect(new Map([...read].toSorted(([one], [other]) => (one < other ? -1 : 1)))).toEqual(banks)
      }),
    )
  })

  it('are refused by a release when one that warns is older than twelve months', () => {
    const lists = { DE: list({ asOf: '2026-07-02' }), SK: list({ asOf: '2022-04-11', warns: false }) }
    expect(tooOld('2027-07-02', lists)).toEqual([])
    expect(tooOld('2027-07-03', lists)).toEqual(['DE'])
  })
})

function list(changed: Partial<BankList>): BankList {
  const banks = 'One Bank\tONEBDE22XXX 10000000 1'
  return { source: 'A list', asOf: '2026-01-02', tells: true, warns: true, banks, ...changed }
}

/** Accounts that authorities, companies and charities publish, each with its page. */
test('no published account in use has a code that its list lacks', () => {
  const published = vectors('iban-published')
  const used = published.filter(({ details }) => details === undefined)
  expect(used.length).toBeGreaterThanOrEqual(50)
  for (const { value } of used) {
    const { details } = CHECKS.iban(value)
    expect([value, details.code, (details.bankCode as { result: string }).result]).toEqual([
      value,
      'ok',
      'listed',
    ])
  }
  for (const { value, details } of published.filter(({ details }) => details !== undefined))
    expect(CHECKS.iban(value).details).toMatchObject(details ?? {})
})

test('no account in the documents has one, but for the example of the warning', () => {
  const files = globSync(['README.md', 'docs/**/*.md', 'packages/*/README.md', 'skills/*/*.json'], {
    cwd: ROOT,
  })
  const accounts = files.flatMap((file) =>
    Array.from(
      readFileSync(join(ROOT, file), 'utf8').matchAll(/\b(?:AT|DE)\d\d(?: ?\d){16,18}/g),
      ([account]) => account,
    ),
  )
  expect(accounts.length).toBeGreaterThan(30)
  const warned = accounts.filter((account) => CHECKS.iban(account).details.warnings.length > 0)
  expect(new Set(warned)).toEqual(new Set(['DE09 1234 5678 0001 2345 67']))
})

describe('a list', () => {
  const LISTED = 'DE36100000010532013000'
  const UNLISTED = 'DE89370400440532013000'
  const check = (de?: BankList) => ibanCheck(IBAN, bankFinder(de === undefined ? {} : { DE: de }))
  const told = (value: string, de?: BankList) => {
    const { bank, bankCode, warnings } = check(de)(value).details
    return { bank, bankCode, warnings }
  }
  const source = { source: 'A list', asOf: '2026-01-02' }

  test('names the bank, and says of which day it is', () => {
    expect(told(LISTED, list({}))).toEqual({
      bank: { name: 'One Bank', bic: 'ONEBDE22XXX' },
      bankCode: { result: 'listed', ...source },
      warnings: [],
    })
    expect(told(UNLISTED, list({}))).toEqual({
      bankCode: { result: 'unlisted', ...source },
      warnings: ['bank_code_unknown'],
    })
  })

  test('that may not warn does not, and one that does not tell says nothing of a code', () => {
    expect(told(UNLISTED, list({ warns: false }))).toEqual({
      bankCode: { result: 'unlisted', ...source },
      warnings: [],
    })
    expect(told(UNLISTED, list({ tells: false }))).toEqual({ warnings: [] })
    expect(told(LISTED, list({ tells: false })).bank).toEqual({ name: 'One Bank', bic: 'ONEBDE22XXX' })
    expect(told(LISTED, list({ tells: false }))).not.toHaveProperty('bankCode.result')
  })

  test('that is left out leaves its country as the others are, and masked as before', () => {
    expect(told(LISTED)).toEqual({ warnings: [] })
    expect(check()(LISTED).normalized).toBe(check(list({}))(LISTED).normalized)
  })

  test('is read when its first IBAN comes', () => {
    let reads = 0
    const lazy: BankList = {
      ...list({}),
      get banks() {
        reads += 1
        return list({}).banks
      },
    }
    const lists = { DE: list({}) }
    Object.defineProperty(lists, 'AT', { value: lazy, enumerable: true })
    const find = bankFinder(lists)
    find(LISTED, 'DE')
    expect(reads).toBe(0)
    find('AT611904300234573201', 'AT')
    find('AT611904300234573201', 'AT')
    expect(reads).toBe(1)
  })
})

/** Small files in the layout that each publisher documents. */
const fixed = (code: string, mark: string, name: string, bic: string) =>
  `${code}${mark}${name.padEnd(58)}12345${'Ort'.padEnd(35)}${'Kurz'.padEnd(27)}     ${bic.padEnd(11)}09000001U000000000`
const ewib = (code: string, name: string, bic: string) =>
  [
    '1',
    name,
    ...Array.from({ length: 2 }, () => 'x'),
    code,
    ...Array.from({ length: 14 }, () => ''),
    bic,
    '',
  ].join('\t')
const OENB =
  'Kennzeichen;Identnummer;Bankleitzahl;Institutsart;Sektor;Firmenbuchnummer;Bankenname;Straße;PLZ;Ort;Postadresse / Straße;Postadresse / PLZ;Postadresse / Ort;Postfach;Bundesland;Telefon;Fax;E-Mail;SWIFT-Code;Homepage;Gründungsdatum'
const SIX =
  'IID/QR-IID;Valid on;Concatenation;New IID/QR-IID;SIC IID;Headquarters;IID type;QR-IID allocation;Name of bank/institution;Street Name;Building Number;Post Code;Town Name;Country;BIC;202607010630000'
const six = `\ufeff${SIX}\r\n100;2026-07-02;N;;001008;100;1;;Nationalbank;;;;Bern;CH;SNBZCHZZXXX\r\n8800;2026-07-02;N;;088000;8800;1;;Landesbank;;;;Vaduz;LI;LILALI2XXXX\r\n30025;2026-07-02;Y;100;;;4;;;;;;;;\r\n`

const cp852 = (text: string) =>
  Buffer.from(
    Array.from(
      text,
      (sign) => ({ ł: 0x88, ó: 0xa2, Ś: 0x97 })[sign as 'ł' | 'ó' | 'Ś'] ?? sign.charCodeAt(0),
    ),
  )

test.each([
  [
    'DE',
    Buffer.from(
      [
        fixed('37040044', '2', 'Nebenstelle', ''),
        fixed('37040044', '1', 'Bank für  Köln', 'COBADEFFXXX'),
        fixed('10000000', '1', 'Bundesbank', 'MARKDEF1100'),
      ].join('\r\n'),
      'latin1',
    ),
    [
      ['10000000', { name: 'Bundesbank', bic: 'MARKDEF1100' }],
      ['37040044', { name: 'Bank für Köln', bic: 'COBADEFFXXX' }],
    ],
  ],
  [
    'AT',
    Buffer.from(
      `Haftung ausgeschlossen;;\r\n\r\n${OENB}\r\nHauptanstalt;1;1000;;;;"Bank ""Ä""; Wien";;;;;;;;;;;;BUNDATWWXXX;;\r\n;2;11000;;;;Zweite;;;;;;;;;;;;;;\r\n`,
      'latin1',
    ),
    [
      ['01000', { name: 'Bank "Ä"; Wien', bic: 'BUNDATWWXXX' }],
      ['11000', { name: 'Zweite' }],
    ],
  ],
  [
    'CH',
    Buffer.from(six),
    [
      ['00100', { name: 'Nationalbank', bic: 'SNBZCHZZXXX' }],
      ['30025', { name: 'Nationalbank', bic: 'SNBZCHZZXXX' }],
    ],
  ],
  ['LI', Buffer.from(six), [['08800', { name: 'Landesbank', bic: 'LILALI2XXXX' }]]],
  [
    'PL',
    cp852(
      `${ewib('10100000', 'Bank Spółdzielczy "Śl"', 'NBPLPLPWXXX')}\r\n${ewib('10100039', 'Bank', '')}\r\n`,
    ),
    [
      ['10100000', { name: 'Bank Spółdzielczy "Śl"', bic: 'NBPLPLPWXXX' }],
      ['10100039', { name: 'Bank' }],
    ],
  ],
  [
    'CZ',
    Buffer.from(
      '\ufeffKód platebního styku;Poskytovatel;BIC kód (SWIFT);Systém CERTIS\r\n0100;Komerční banka, a.s.;KOMBCZPP;A\r\n',
    ),
    [['0100', { name: 'Komerční banka, a.s.', bic: 'KOMBCZPP' }]],
  ],
  [
    'SK',
    Buffer.concat([
      Buffer.from('IC;Nazov;BIC\r\n200;V'),
      Buffer.from([0x9a]),
      Buffer.from('eobecna;SUBASKBX\r\n'),
    ]),
    [['0200', { name: 'Všeobecna', bic: 'SUBASKBX' }]],
  ],
  [
    'DE',
    Buffer.from('bank_code,name,bic\n10000000,"A,  ""B""\u00a0C",\n'),
    [['10000000', { name: 'A, "B" C' }]],
  ],
] as const)('a file of %s is read in its layout', (country, file, banks) => {
  expect([...readBankFile(country, file)]).toEqual(banks)
})

test.each([
  ['DE', 'nothing', /no banks/],
  ['AT', 'Bank;Name\n1;2\n', /not the columns Bankleitzahl/],
  ['DE', 'bank_code,name,bic\n1234567890,A,\n', /no bank code/],
  ['DE', 'bank_code,name,bic\n10000000,A,NOBIC\n', /no BIC/],
  ['NO', '', /the country is one of/],
])('a file of %s out of form is refused: %j', (country, text, message) => {
  expect(() => readBankFile(country, Buffer.from(text))).toThrow(message)
})
