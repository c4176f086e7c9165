import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { adviceTable, sourceList } from '../../scripts/skill-tables.ts'
import { loadSkillFolders } from '../../src/catalog/load.ts'
import { PRICE_USD } from '../../src/catalog/price.ts'
import { codesOf, HINTS, WARNINGS } from '../../src/checks/advice/hints.ts'
import { CHECK_TYPES } from '../../src/checks/verdict.ts'
import { realRegistry } from '../support/registry.ts'
import { EXAMPLES_FILE, SKILL_FILE } from './skill-files.ts'

const { all } = realRegistry()
const ajv = new Ajv2020({ strict: true, allErrors: true })

describe('the folders', () => {
  it('are those of the checks, each under its own name', () => {
    const folders = loadSkillFolders()
    expect(folders.map(({ name }) => name)).toEqual([...CHECK_TYPES].sort())
    expect(folders.map(({ skill }) => (skill as { readonly id: string }).id)).toEqual([...CHECK_TYPES].sort())
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
  const [isSkill, areExamples] = [ajv.compile(SKILL_FILE), ajv.compile(EXAMPLES_FILE)]

  it('have the form that every skill has', () => {
    expect([isSkill(folder.skill), isSkill.errors]).toEqual([true, null])
    expect([areExamples(folder.examples), areExamples.errors]).toEqual([true, null])
  })

  it.each([
    { title: undefined },
    { description: 'x'.repeat(451) },
    { summary: 'IBAN \u2013 check' },
    { sources: [] },
    { price: 1 },
  ])('have it no longer with %o', (change) => {
    expect(isSkill(JSON.parse(JSON.stringify({ ...(folder.skill as object), ...change })))).toBe(false)
  })

  it('are examples of at least three values', () => {
    expect(areExamples((folder.examples as object[]).slice(0, 2))).toBe(false)
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

  it('tells how to call it on every surface, at which price', () => {
    expect(skill.markdown).toContain(`{ "skill": "${skill.id}", "input": { "value": `)
    expect(skill.markdown).toContain(`BASE_URL/api/validate/${skill.id}`)
    expect(skill.markdown).toContain(`Tool \`${skill.operationId}\` at \`BASE_URL/mcp\``)
    expect(skill.markdown).toContain(`USD ${PRICE_USD} a call`)
    expect(skill.markdown).toContain(skill.description)
    for (const source of skill.sources)
      expect(skill.markdown).toContain(`(${source.url}), ${source.edition}, ${source.date}`)
  })

  it('documents exactly the codes of its output schema', () => {
    const { details } = skill.outputSchema.properties as {
      details: { properties: { code: { enum: string[] } } }
    }
    const rows = [...skill.markdown.matchAll(/^\| `(\w+)` \|/gm)].map((row) => row[1])
    expect(rows).toEqual(details.properties.code.enum)
  })

  it('publishes the hints and warnings of its check, each with its explanation', () => {
    const { details } = skill.outputSchema.properties as {
      details: { properties: { hint: { enum: string[] }; warnings: { items: { enum?: string[] } } } }
    }
    expect(details.properties.hint.enum).toEqual(codesOf(HINTS, skill.id))
    expect(details.properties.warnings.items.enum ?? []).toEqual(codesOf(WARNINGS, skill.id))
    expect(skill.markdown).toContain(adviceTable(skill.id))
    expect(skill.markdown).toContain(sourceList(skill.sources))
  })

  it('shows at least one valid and two invalid values, for different reasons', () => {
    const valid = skill.examples.filter((example) => example.output.valid)
    const codes = skill.examples.map((example) => example.output.details.code).filter((code) => code !== 'ok')
    expect(valid.length).toBeGreaterThanOrEqual(1)
    expect(new Set(codes).size).toBeGreaterThanOrEqual(2)
  })

  it('gives the answers of the check as examples, byte for byte', () => {
    for (const { input, output } of skill.examples) {
      expect(JSON.stringify(output)).toBe(JSON.stringify(skill.check(input.value)))
    }
  })

  it('has an output schema that fits every answer of the check', () => {
    const fits = ajv.compile(skill.outputSchema)
    const values = fc.oneof(
      nearExamples(skill.examples.map((example) => example.input.value)),
      fc.string({ unit: 'binary', maxLength: 80 }),
      fc.stringMatching(/^[A-Z]{2}[0-9A-Z]{0,32}$/),
      fc.stringMatching(/^[0-9]{0,16}$/),
      fc.emailAddress(),
    )
    fc.assert(
      fc.property(values, (value) => {
        expect([value, fits(skill.check(value)), fits.errors]).toEqual([value, true, null])
      }),
      { numRuns: 2000 },
    )
  })

  it('has an output schema that takes nothing else', () => {
    const fits = ajv.compile(skill.outputSchema)
    const verdict = skill.examples[0]!.output
    for (const changed of [
      { ...verdict, value: 'x' },
      { ...verdict, type: 'us-ssn' },
      { ...verdict, normalized: skill.examples[0]!.input.value },
      { ...verdict, details: { ...verdict.details, code: 'unheard_of' } },
      { ...verdict, details: { ...verdict.details, input: 'x' } },
      {
        ...verdict,
        details: { ...verdict.details, layers: { ...verdict.details.layers, registry: 'passed' } },
      },
    ]) {
      expect(fits(changed)).toBe(false)
    }
  })
})
