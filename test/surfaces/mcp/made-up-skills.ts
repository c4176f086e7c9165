/** Skills with made-up checks: what a surface does must not depend on what a check says. */

import { CHECK_TYPES, type CheckType, type Verdict } from 'format-checker-checks/verdict'
import type { Skill, SkillRegistry } from '../../../src/catalog/skill.ts'
import { compileInputFault, schemaCompiler } from '../../../src/catalog/validate-input.ts'

const inputSchema = {
  type: 'object',
  properties: { value: { type: 'string', maxLength: 512, description: 'The string to check.' } },
  required: ['value'],
  additionalProperties: false,
}

const inputFault = compileInputFault(inputSchema, schemaCompiler())

function verdictOf(type: CheckType, value: string): Verdict {
  const valid = value.startsWith('good')
  return {
    type,
    valid,
    normalized: valid ? '\u2022\u2022' : null,
    reason: valid ? 'All checks passed.' : 'The checksum does not match.',
    details: {
      code: valid ? 'ok' : 'checksum',
      ruleset: `${type}:1`,
      normalization: ['trimmed'],
      layers: {
        format: 'passed',
        checksum: valid ? 'passed' : 'failed',
        nationalCheck: 'not_applicable',
        registry: 'not_checked',
      },
      notChecked: ['existence'],
      warnings: [],
    },
  }
}

function skillOf(id: CheckType): Skill {
  return {
    id,
    operationId: `validate_${id.replace('-', '_')}`,
    name: `name of ${id}`,
    title: `Title of ${id}`,
    summary: 'One line.',
    description: `Checks the form of ${id}.`,
    tags: [],
    aliases: [],
    codes: { ok: '' },
    personal: 'no',
    ...{ input: '', orders: [], headings: [], checked: [], notChecked: [], edgeCases: [], mistakes: [] },
    ...{ outline: { kind: 'digits', sizes: [] }, mask: { pattern: '', words: '' }, facts: {} },
    sources: [],
    ruleset: `${id}:1`,
    inputSchema,
    inputFault,
    outputSchema: { type: 'object' },
    examples: [{ title: 'an example', input: { value: 'x' }, output: verdictOf(id, 'x') }],
    ...{ markdown: '', advice: '' },
    check: (value) => verdictOf(id, value),
  }
}

export function madeUpSkills(): SkillRegistry {
  const all = CHECK_TYPES.map(skillOf) as [Skill, ...Skill[]]
  const get = (id: string) => all.find((skill) => skill.id === id)
  return { all, get, resolve: get, nearest: () => undefined }
}
