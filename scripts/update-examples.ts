/**
 * Writes into the skills' folders what follows from the checks: the outputs of the examples; type, ruleset, hints and
 * warnings in the output schemas; the tables of `SKILL.md`. Run it after a rule, a hint or an example has changed,
 * and the formatter after it.
 *
 * Titles and inputs of examples stay as they are. Values are published or made-up test values; never put a real
 * person's number here.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { codesOf, HINTS, WARNINGS } from '../src/checks/advice/hints.ts'
import { CHECKS, RULESETS } from '../src/checks/checks.ts'
import { CHECK_TYPES, type CheckType } from '../src/checks/verdict.ts'
import { adviceTable, between, sourceList } from './skill-tables.ts'

for (const type of CHECK_TYPES) {
  updateExamples(type)
  updateOutputSchema(type)
  updatePage(type)
}

function fileOf(type: CheckType, name: string): URL {
  return new URL(`../skills/${type}/${name}`, import.meta.url)
}

function readJson(file: URL) {
  return JSON.parse(readFileSync(file, 'utf8'))
}

function updateExamples(type: CheckType): void {
  const file = fileOf(type, 'assets/examples.json')
  const entries: readonly { title: string; input: { value: string } }[] = readJson(file)
  const examples = entries.map(({ title, input }) => ({ title, input, output: CHECKS[type](input.value) }))
  writeFileSync(file, `${JSON.stringify(examples, null, 2)}\n`)
}

function updateOutputSchema(type: CheckType): void {
  const file = fileOf(type, 'assets/output.schema.json')
  const schema = readJson(file)
  const { properties } = schema.properties.details
  schema.properties.type.const = type
  properties.ruleset.const = RULESETS[type]
  properties.hint = {
    ...codeSchema(codesOf(HINTS, type)),
    description: described('How to mend the value', codesOf(HINTS, type)),
  }
  properties.warnings = {
    type: 'array',
    items: codeSchema(codesOf(WARNINGS, type)),
    description: described('Reservations that do not change the verdict', codesOf(WARNINGS, type)),
  }
  writeFileSync(file, `${JSON.stringify(schema, null, 2)}\n`)
}

/** A skill copied from another starts with that one's codes, so a type without codes is written too. */
function codeSchema(codes: readonly string[]) {
  return codes.length === 0 ? { type: 'string' } : { enum: codes }
}

function described(what: string, codes: readonly string[]): string {
  return codes.length === 0 ? `${what}.` : `${what}; each code is explained in SKILL.md.`
}

function updatePage(type: CheckType): void {
  const file = fileOf(type, 'SKILL.md')
  const { sources } = readJson(fileOf(type, 'skill.json'))
  const page = between(readFileSync(file, 'utf8'), 'advice', adviceTable(type))
  writeFileSync(file, between(page, 'sources', sourceList(sources)))
}
