import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { CHECK_TYPES } from 'format-checker-checks/verdict'
import { describe, expect, it } from 'vitest'
import { loadSkillFolders } from '../../src/catalog/load.ts'
import { closed } from '../support/closed-schema.ts'
import { arbitraryAny } from '../support/identifiers.ts'
import { noisyValues } from '../support/noise.ts'
import { realRegistry } from '../support/registry.ts'
import type { Mistake } from '../support/slips.ts'
import { vectorFiles, vectors } from '../support/vectors.ts'
import { SKILL_FILE } from './skill-files.ts'

const { all } = realRegistry()
const mistakes: readonly Mistake[] = ['mistakes', 'mistakes-held-out'].flatMap((name) =>
  JSON.parse(readFileSync(new URL(`../vectors/${name}.json`, import.meta.url), 'utf8')),
)
const ajv = new Ajv2020({ strict: true, allErrors: true })

describe('the folders', () => {
  it('are those of the checks, each under its own name', () => {
    const folders = loadSkillFolders()
    expect(folders.map(({ name }) => name)).toEqual([...CHECK_TYPES].sort())
  })

  it('share no name by which a skill is found', () => {
    const { resolve } = realRegistry()
    for (const skill of all)
      for (const name of [skill.id, skill.operationId, ...skill.aliases]) expect(resolve(name)).toBe(skill)
  })
})

describe.each(
  loadSkillFolders().map((folder) => [folder.name, folder] as const),
)('the files of %s', (_name, folder) => {
  const isSkill = ajv.compile(SKILL_FILE)

  it('have the form that every skill has', () => {
    expect([isSkill(folder.skill), isSkill.errors]).toEqual([true, null])
  })

  it.each([
    { title: undefined },
    { description: 'x'.repeat(451) },
    { summary: 'IBAN \u2013 check' },
    { sources: [] },
    { examples: { one: '1', two: '2' } },
    { price: 1 },
  ])('have it no longer with %o', (change) => {
    expect(isSkill(JSON.parse(JSON.stringify({ ...(folder.skill as object), ...change })))).toBe(false)
  })

  it('have schemas of objects, which go to clients as they stand: some choke on $schema', () => {
    for (const schema of [folder.inputSchema, folder.outputSchema]) {
      expect(schema).toMatchObject({ type: 'object' })
      expect(schema).not.toHaveProperty('$schema')
      expect(ajv.validateSchema(schema as object)).toBe(true)
    }
  })
})

/** Values near the examples: one character replaced, removed or added. */
const nearExamples = (values: readonly string[]) =>
  fc
    .tuple(fc.constantFrom(...values), fc.nat(40), fc.nat(1), fc.string({ unit: 'binary', maxLength: 1 }))
    .map(([value, at, removed, added]) => value.slice(0, at) + added + value.slice(at + removed))
    .filter((value) => value.isWellFormed())

describe.each(all.map((skill) => [skill.id, skill] as const))('the folder of %s', (_id, skill) => {
  const frontmatter = /^---\nname: (.+)\ndescription: (.+)\n(?:[a-z-]+: .+\n)*---\n\n# /.exec(skill.markdown)

  it('has a page that is an Agent Skill', () => {
    expect(frontmatter?.[1]).toBe(skill.id)
    const description: string = JSON.parse(frontmatter?.[2] ?? '""')
    expect(description.length).toBeGreaterThan(40)
    expect(description.length).toBeLessThanOrEqual(1024)
    expect(skill.markdown.split('\n').length).toBeLessThan(500)
  })

  it('shows at least one valid and two invalid values, for different reasons', () => {
    const valid = skill.examples.filter((example) => example.output.valid)
    const codes = skill.examples.map((example) => example.output.details.code).filter((code) => code !== 'ok')
    expect(valid.length).toBeGreaterThanOrEqual(1)
    expect(new Set(codes).size).toBeGreaterThanOrEqual(2)
  })

  it('has an output schema that lists every member and word of every answer', () => {
    const fits = ajv.compile(closed(skill.outputSchema))
    const takes = (value: string) => {
      expect([value, fits(skill.check(value)), fits.errors]).toEqual([value, true, null])
    }
    const values = fc.oneof(
      nearExamples(skill.examples.map((example) => example.input.value)),
      arbitraryAny(skill.id),
      fc.emailAddress(),
    )
    fc.assert(fc.property(values, takes), { numRuns: 2000 })
    for (const { value } of vectorFiles(skill.id).flatMap(vectors)) takes(value)
    for (const { value } of noisyValues(skill.id, 2000, 3)) takes(value)
    for (const { type, value } of mistakes) if (type === skill.id) takes(value)
  })

  it('has an output schema that, closed, takes nothing else', () => {
    const fits = ajv.compile(closed(skill.outputSchema))
    const verdict = skill.examples[0]!.output
    for (const changed of [
      { ...verdict, value: 'x' },
      { ...verdict, type: 'us-ssn' },
      { ...verdict, normalized: skill.examples[0]!.input.value },
      { ...verdict, details: { ...verdict.details, code: 'unheard_of' } },
      { ...verdict, details: { ...verdict.details, input: 'x' } },
      { ...verdict, details: { ...verdict.details, hint: 'unheard_of' } },
      { ...verdict, details: { ...verdict.details, warnings: ['unheard_of'] } },
      {
        ...verdict,
        details: { ...verdict.details, layers: { ...verdict.details.layers, registry: 'passed' } },
      },
    ]) {
      expect(fits(changed)).toBe(false)
    }
  })
})
