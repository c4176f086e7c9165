import { CHECKS, RULESETS } from 'format-checker-checks/internal/checks'
import { CHECK_TYPES, type CheckType } from 'format-checker-checks/verdict'
import { describe, expect, it } from 'vitest'
import { checkNames } from '../../src/catalog/check-names.ts'
import { buildRegistry } from '../../src/catalog/registry.ts'

describe('the registry', () => {
  const registry = buildRegistry()

  it('has a skill for each type in their order, each with its check and its rules', () => {
    expect(registry.all.map((skill) => skill.id)).toEqual(CHECK_TYPES)
    for (const skill of registry.all) {
      expect(skill.check).toBe(CHECKS[skill.id])
      expect(skill.ruleset).toBe(RULESETS[skill.id])
      expect(skill.operationId).toBe(`validate_${skill.id.replace('-', '_')}`)
    }
  })

  it('finds a skill by its published id only', () => {
    expect(registry.get('eu-vat')?.id).toBe('eu-vat')
    for (const name of ['EU-VAT', 'eu_vat', 'vat', '', '__proto__'])
      expect(registry.get(name)).toBeUndefined()
  })

  it.each<[string, CheckType | undefined]>([
    ['eu-vat', 'eu-vat'],
    ['EU_VAT', 'eu-vat'],
    ['validate_eu_vat', 'eu-vat'],
    ['Validate-EU-VAT', 'eu-vat'],
    ['vat', 'eu-vat'],
    ['NIP', 'pl-nip'],
    ['regon', 'pl-regon'],
    ['Pesel', 'pl-pesel'],
    ['e-mail', 'email'],
    ['E_Mail', 'email'],
    ['iban', 'iban'],
    ['', undefined],
    ['ssn', undefined],
    ['constructor', undefined],
  ])('resolves the name %j to %s', (name, id) => {
    expect(registry.resolve(name)?.id).toBe(id)
  })

  it('cannot be changed', () => {
    expect(Object.isFrozen(registry)).toBe(true)
    expect(Object.isFrozen(registry.all)).toBe(true)
    for (const skill of registry.all) {
      expect(Object.isFrozen(skill)).toBe(true)
      expect(Object.isFrozen(skill.inputSchema.properties)).toBe(true)
      expect(Object.isFrozen(skill.examples[0]?.output.details)).toBe(true)
    }
  })
})

it('publishes the checks of today, in their order', () => {
  const { all } = buildRegistry()
  const today: readonly string[] = ['iban', 'eu-vat', 'pl-nip', 'pl-regon', 'pl-pesel', 'email']
  const published = all.filter(({ id }) => today.includes(id))
  expect(published.map(({ id }) => id)).toEqual(today)
  expect(checkNames(published)).toBe(
    'IBAN, EU VAT number, Polish NIP, Polish REGON, Polish PESEL, email address',
  )
})
