import { describe, expect, it } from 'vitest'
import { CHECKS, PROFILES, RULESETS } from '../../src/checks/checks.ts'
import { CHECK_TYPES, type CheckType } from '../../src/checks/verdict.ts'
import { checkNames } from '../../src/skills/check-names.ts'
import { loadSkillFolders, type SkillFolder } from '../../src/skills/load.ts'
import { buildRegistry } from '../../src/skills/registry.ts'

const folders = loadSkillFolders()
const join = { checks: CHECKS, profiles: PROFILES }

/** The shipped folders with one of them changed. */
const withChange = (name: CheckType, change: (folder: SkillFolder) => Partial<SkillFolder>) =>
  folders.map((folder) => (folder.name === name ? { ...folder, ...change(folder) } : folder))

describe('the registry', () => {
  const registry = buildRegistry(folders, join)

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
  const { all } = buildRegistry(folders, join)
  const today: readonly string[] = ['iban', 'eu-vat', 'pl-nip', 'pl-regon', 'pl-pesel', 'email']
  const published = all.filter(({ id }) => today.includes(id))
  expect(published.map(({ id }) => id)).toEqual(today)
  expect(checkNames(published)).toBe(
    'IBAN, EU VAT number, Polish NIP, Polish REGON, Polish PESEL, email address',
  )
})

describe('the boot stops with one line that names the place', () => {
  const cases: [string, readonly SkillFolder[], RegExp][] = [
    ['a folder is missing', folders.slice(1), /^skills\/email: the folder of this check is missing$/],
    [
      'a folder has no check',
      [...folders, { ...folders[0]!, name: 'us-ssn' }],
      /^skills\/us-ssn: there is no check of this type$/,
    ],
    [
      'the id is another',
      withChange('iban', (folder) => ({ skill: { ...(folder.skill as object), id: 'email' } })),
      /^skills\/iban\/skill\.json: id is not the folder's name$/,
    ],
    [
      'two skills share a name',
      withChange('iban', (folder) => ({ skill: { ...(folder.skill as object), aliases: ['vat'] } })),
      /another skill is called vat too$/,
    ],
  ]

  it.each(cases)('when %s', (_what, changed, line) => {
    const boot = () => buildRegistry(changed, join)
    expect(boot).toThrow(line)
    expect(boot).toThrow(/^[^\n]+$/)
  })

  it('when the check is missing', () => {
    const { iban: _removed, ...checks } = CHECKS
    expect(() => buildRegistry(folders, { ...join, checks: checks as typeof CHECKS })).toThrow(
      /^skills\/iban: there is no check of this type$/,
    )
  })

  it('when a file cannot be read', () => {
    expect(() => loadSkillFolders(new URL('./no-such-folder', import.meta.url).pathname)).toThrow()
    expect(() => loadSkillFolders(new URL('..', import.meta.url).pathname)).toThrow(
      /skill\.json cannot be read$/,
    )
  })
})
