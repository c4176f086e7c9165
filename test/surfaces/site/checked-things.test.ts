import { expect, test } from 'vitest'
import type { SkillRegistry } from '../../../src/catalog/skill.ts'
import { checkedThings } from '../../../src/surfaces/site/checked-things.ts'

const naming = (...names: readonly string[]) =>
  checkedThings({ all: names.map((name) => ({ name, title: `${name} check` })) } as unknown as SkillRegistry)

test('the numbers of Poland are called together, and the last thing is joined by "and"', () => {
  expect(naming('IBAN', 'EU VAT number', 'Polish NIP', 'Polish REGON', 'Polish PESEL', 'email address')).toBe(
    'IBANs, EU VAT numbers, Polish IDs and email addresses',
  )
})

test('a number of another country keeps its capital letters', () => {
  expect(naming('IBAN', 'Polish NIP', 'Polish REGON', 'Spanish NIF', 'email address')).toBe(
    'IBANs, Polish IDs, Spanish NIFs and email addresses',
  )
})

test('a single number of Poland is called by its name', () => {
  expect(naming('Polish NIP')).toBe('Polish NIPs')
})
