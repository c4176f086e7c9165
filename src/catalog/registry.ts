import type { Ajv2020 } from 'ajv/dist/2020.js'
import { PROFILES } from 'format-checker-checks'
import { CHECKS } from 'format-checker-checks/internal/checks'
import type { Profile } from 'format-checker-checks/internal/profile'
import { CHECK_TYPES, type CheckType } from 'format-checker-checks/verdict'
import { deepFreeze } from '../values/json.ts'
import { closest } from './closest.ts'
import { loadSkillFolders, type SkillFolder } from './load.ts'
import type { JsonSchema, Skill, SkillFile, SkillRegistry } from './skill.ts'
import { compileInputFault, schemaCompiler } from './validate-input.ts'

/**
 * test/catalog/skill-folders.test.ts checks the form of the files, and that every check has a folder and every name one
 * owner.
 */
export function buildRegistry(): SkillRegistry {
  const compiler = schemaCompiler()
  const folders = new Map(loadSkillFolders().map((folder) => [folder.name, folder]))
  const all = CHECK_TYPES.map((type) => joinSkill(type, folders.get(type) as SkillFolder, compiler))
  const byId = new Map<string, Skill>(all.map((skill) => [skill.id, skill]))
  const byName = new Map(
    all.flatMap((skill) =>
      [skill.id, skill.operationId, ...skill.aliases].map((name) => [canonicalName(name), skill] as const),
    ),
  )
  return Object.freeze({
    all: Object.freeze(all) as SkillRegistry['all'],
    get: (id: string) => byId.get(id),
    resolve: (name: string) => byName.get(canonicalName(name)),
    nearest: (name: string) =>
      byName.get(closest(canonicalName(name.slice(0, LONGEST_NAME)), [...byName.keys()]) ?? ''),
  })
}

function joinSkill(type: CheckType, folder: SkillFolder, compiler: Ajv2020): Skill {
  const { ruleset, aliases, outline, mask, codes, facts }: Profile = PROFILES[type]
  const inputSchema = folder.inputSchema as JsonSchema
  return deepFreeze({
    ...(folder.skill as SkillFile),
    ...{ id: type, operationId: `validate_${type.replaceAll('-', '_')}` },
    ...{ ruleset, aliases, outline, mask, codes, facts },
    inputSchema,
    inputFault: compileInputFault(inputSchema, compiler),
    outputSchema: folder.outputSchema as JsonSchema,
    examples: folder.examples as Skill['examples'],
    markdown: folder.markdown,
    advice: folder.advice,
    check: CHECKS[type],
  })
}

/** A longer name is compared by its beginning, because the time of an edit distance grows with the length. */
const LONGEST_NAME = 40

export const canonicalName = (name: string): string => name.toLowerCase().replaceAll('_', '-')
