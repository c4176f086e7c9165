/**
 * Numbers with the name or the country of another number in front. `METAMORPHIC_CASES` and `METAMORPHIC_SEED` in the
 * environment set how many are drawn and from which seed.
 */
import { describe, expect, test } from 'vitest'
import { ownWords } from '../../../../src/lists/own-words.ts'
import { checkedOf } from '../../../../src/lists/results.ts'
import { validValue } from '../../../../test/support/identifiers.ts'
import { followHints } from '../../../../test/support/mend.ts'
import { SeededRandom } from '../../../../test/support/seeded-random.ts'
import { isText } from '../../../../test/support/vectors.ts'
import { CHECKS } from '../../src/checks.ts'
import { CHECK_TYPES, type CheckType } from '../../src/verdict.ts'

const CASES = Number(process.env.METAMORPHIC_CASES ?? 4_000)
const SEED = Number(process.env.METAMORPHIC_SEED ?? 20261128)

const NUMBERS = CHECK_TYPES.filter((type) => !isText(type))
const POLISH: readonly CheckType[] = ['pl-nip', 'pl-regon', 'pl-pesel']

const OF_ANY_NUMBER = [
  ...['tel. ', 'Tel.: ', 'telefon ', 'phone: ', 'Mobile ', 'fax ', 'Faks: ', 'kom. ', 'GSM '],
  ...[
    'KRS: ',
    'KRS ',
    'nr KRS ',
    'BDO: ',
    'BDO ',
    'EORI ',
    'EORI: ',
    'HRB ',
    'HRA ',
    'Handelsregister ',
    'KVK ',
  ],
  ...['ISBN ', 'ISSN: ', 'EAN ', 'GTIN: ', 'GLN ', 'DUNS ', 'DUNS: ', 'D-U-N-S ', 'LEI: ', 'IMEI '],
  ...[
    'BIC: ',
    'SWIFT ',
    'BLZ ',
    'Faktura nr ',
    'Invoice no. ',
    'Rechnung ',
    'zamówienie ',
    'order: ',
    'klient ',
  ],
  ...['SSN ', 'passport ', 'paszport: ', 'dowód ', 'karta ', 'Steuernummer ', 'codice fiscale '],
]
const OF_TYPE: Readonly<Partial<Record<CheckType, readonly string[]>>> = {
  iban: ['REGON ', 'PESEL: ', 'NIP: '],
  'eu-vat': ['REGON ', 'PESEL: ', 'IBAN: ', 'konto '],
  'pl-nip': ['REGON ', 'PESEL: ', 'IBAN: ', 'konto ', 'OIB ', 'Org.nr ', 'IČO '],
  'pl-regon': ['NIP ', 'NIP: ', 'PESEL: ', 'IBAN: ', 'konto ', 'SIREN ', 'VAT '],
  'pl-pesel': ['NIP ', 'REGON: ', 'IBAN: ', 'konto ', 'SIREN ', 'OIB ', 'VAT '],
}
const COUNTRIES = [
  'BE ',
  'SK ',
  'DE ',
  'DE',
  'RO-',
  'CZ: ',
  'FR',
  'CHE ',
  'NO ',
  'GB ',
  'SE ',
  'HU ',
  'LT.',
  '+',
  '+48 ',
]
  // "NO" is also the word for a number.
  .filter((each) => each !== 'NO ')

describe.each(NUMBERS)('%s', (type) => {
  const random = new SeededRandom(SEED)
  const fronts = [...OF_ANY_NUMBER, ...(OF_TYPE[type] ?? []), ...(POLISH.includes(type) ? COUNTRIES : [])]
  const isOwn = (value: string) => CHECKS[type](value).valid

  test('behind the name or the country of another number, none is cut out', () => {
    const cut: string[] = []
    for (let count = 0; count < CASES; count++) {
      const value = random.pick(fronts) + validValue(type, 1 + random.int(1_000_000))
      const verdict = CHECKS[type](value)
      if (verdict.valid) continue
      const { suggested } = ownWords({ type, value } as never, checkedOf(verdict))
      if (verdict.details.span !== undefined || suggested !== null || isOwn(followHints(type, value)))
        cut.push(value)
    }
    expect(cut).toEqual([])
  })

  test('the own name behind another number counts', () => {
    const own = { iban: 'IBAN', 'eu-vat': 'VAT', 'pl-nip': 'NIP', 'pl-regon': 'REGON', 'pl-pesel': 'PESEL' }[
      type as never
    ]
    const lost: string[] = []
    for (let count = 0; count < CASES / 20; count++) {
      const meant = validValue(type, 1 + random.int(1_000_000))
      // Of a VAT number whose national check digits fail, nothing shows that it is one.
      if (CHECKS[type](meant).details.warnings.length > 0) continue
      const value = `KRS: 0000123456, ${own}: ${meant}`
      if (followHints(type, value) !== meant) lost.push(value)
    }
    expect(lost).toEqual([])
  })
})
