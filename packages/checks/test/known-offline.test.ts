/** Facts about a valid value: a refused value has none, an ambiguous one lacks them, and published values have the right ones. */
import { expect, test } from 'vitest'
import { vectorFiles, vectors } from '../../../test/support/vectors.ts'
import { CHECKS } from '../src/checks.ts'
import { nearMissOf } from '../src/email/mail-providers.ts'
import { isPublicProvider, PUBLIC_PROVIDERS } from '../src/email/public-providers.ts'
import { MEMBER_STATES } from '../src/eu-vat/member-states.ts'
import { IBAN_COUNTRIES } from '../src/iban/countries.ts'
import { CHECK_TYPES, type CheckType } from '../src/verdict.ts'
import { readVectors } from './eu-vat/vectors.ts'

const TOLD = ['bank', 'bankCode', 'eea', 'role', 'publicProvider', 'holder', 'registerNumber']

test.each(CHECK_TYPES)('%s: a refused value has none of them', (type: CheckType) => {
  const refused = vectorFiles(type).flatMap((name) => vectors(name).filter(({ valid }) => !valid))
  const told = refused.filter(({ value }) => TOLD.some((name) => name in CHECKS[type](value).details))
  expect(refused.length).toBeGreaterThan(10)
  expect(told).toEqual([])
})

const holders = [...readVectors().values()].flat().filter(({ holder }) => holder !== undefined)

test.each(holders)('$value is of the kind $holder', ({ value, holder }) => {
  expect(CHECKS['eu-vat'](value).details.holder).toBe(holder)
})

test('each state with a rule of holders has ten published numbers of each kind', () => {
  const states = [...MEMBER_STATES.values()].filter((state) => state.holder !== undefined)
  expect(states.map(({ prefix }) => prefix)).toEqual(['CZ', 'ES', 'SE'])
  for (const { prefix } of states)
    for (const kind of ['person', 'entity'])
      expect(
        holders.filter(({ value, holder }) => value.startsWith(prefix) && holder === kind).length,
      ).toBeGreaterThanOrEqual(10)
})

test.each([
  ['CZ640903926', undefined],
  ['DE136695976', undefined],
  ['CZ25123890', undefined],
])('%s may be of either, or fails its own check digits: it has no holder', (value, holder) => {
  expect(CHECKS['eu-vat'](value).details.holder).toBe(holder)
  expect(CHECKS['eu-vat'](value).details.registerNumber).toBeUndefined()
})

test.each([
  ['BE0428759497', 'KBO'],
  ['PL5260250274', 'NIP'],
  ['HR33392005961', 'OIB'],
  ['FI20774740', 'Y-tunnus'],
  ['RO18547290', 'CUI'],
  ['BG175074752', 'EIK'],
  ['SE556703748501', 'organisationsnummer'],
])('%s holds a %s', (value, name) => {
  expect(CHECKS['eu-vat'](value).details.registerNumber).toBe(name)
})

test('the EEA has the 27 of the Union and three others; of France alone it is not told', () => {
  const members = IBAN_COUNTRIES.filter(({ eea }) => eea).map(({ code }) => code)
  const union = [...MEMBER_STATES.keys()].filter((prefix) => prefix !== 'XI' && prefix !== 'FR')
  const inIban = union.map((prefix) => (prefix === 'EL' ? 'GR' : prefix))
  expect(members.sort()).toEqual([...inIban, 'IS', 'LI', 'NO'].sort())
  expect(IBAN_COUNTRIES.filter(({ eea }) => eea === undefined).map(({ code }) => code)).toEqual(['FR'])
})

test('public providers: each has a page, of ten countries and more, and none is called a slip of another', () => {
  const domains = PUBLIC_PROVIDERS.flatMap(([, , names]) => names.split(' '))
  expect(domains.length).toBeGreaterThanOrEqual(73)
  expect(new Set(domains).size).toBe(domains.length)
  expect(new Set(PUBLIC_PROVIDERS.map(([country]) => country)).size).toBeGreaterThanOrEqual(10)
  expect(PUBLIC_PROVIDERS.filter(([, page]) => !/^https:\/\/[^ ]+$/.test(page))).toEqual([])
  expect(domains.filter((domain) => nearMissOf(domain) !== undefined)).toEqual([])
  for (const each of ['gmail.com', 'googlemail.com', 'interia.pl', 'icloud.com', 'o2.pl', 'seznam.cz'])
    expect(isPublicProvider(each)).toBe(true)
})

test.each(['information@firma.pl', 'jan.info@firma.pl', 'info.pl@firma.pl'])('%s is no role', (value) => {
  expect('role' in CHECKS.email(value).details).toBe(false)
})
