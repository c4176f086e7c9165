/**
 * Joins the words of the skills with their checks. That each has the other, that names are its own, and the form of the files
 * is tested (test/skills/skill-folders.test.ts) and not looked at again.
 */
import type { Ajv2020 } from 'ajv/dist/2020.js'
import type { Profile } from '../checks/result.ts'
import { CHECK_TYPES, type Check, type CheckType } from '../checks/verdict.ts'
import { deepFreeze } from '../json.ts'
import { closest } from './closest.ts'
import type { SkillFolder } from './load.ts'
import type { JsonSchema, Skill, SkillRegistry, Words } from './skill.ts'
import { compileInputFault, schemaCompiler } from './validate-input.ts'

export interface Checks {
  readonly checks: Readonly<Record<CheckType, Check>>
  readonly profiles: Readonly<Record<CheckType, Pick<Profile, 'ruleset' | 'labels'>>>
}

/** What of a skill its file says; the rest follows from its check and its schemas. */
interface SkillFile
  extends Omit<
    Skill,
    'words' | 'ruleset' | 'inputSchema' | 'inputFault' | 'outputSchema' | 'examples' | 'markdown' | 'check'
  > {
  readonly words: Omit<Words, 'labels'>
}

/** Builds the registry from the folders read by `loadSkillFolders`. */
export function buildRegistry(folders: readonly SkillFolder[], { checks, profiles }: Checks): SkillRegistry {
  const compiler = schemaCompiler()
  const byName = new Map(folders.map((folder) => [folder.name, folder]))
  const all = CHECK_TYPES.map((type) =>
    joinSkill(byName.get(type) as SkillFolder, compiler, checks[type], profiles[type]),
  )
  const byId = new Map<string, Skill>(all.map((skill) => [skill.id, skill]))
  const names = new Map<string, Skill>(all.flatMap((skill) => namesOf(skill).map((name) => [name, skill])))
  return Object.freeze({
    all: Object.freeze(all) as SkillRegistry['all'],
    get: (id: string) => byId.get(id),
    resolve: (name: string) => names.get(canonicalName(name)),
    nearest: (name: string) =>
      names.get(closest(canonicalName(name.slice(0, LONGEST_NAME)), [...names.keys()]) ?? ''),
  })
}

function joinSkill(
  folder: SkillFolder,
  compiler: Ajv2020,
  check: Check,
  { ruleset, labels }: Pick<Profile, 'ruleset' | 'labels'>,
): Skill {
  const file = folder.skill as SkillFile
  const inputSchema = folder.inputSchema as JsonSchema
  return deepFreeze({
    ...file,
    words: { ...file.words, labels: labels.names },
    ruleset,
    inputSchema,
    inputFault: compileInputFault(inputSchema, compiler),
    outputSchema: folder.outputSchema as JsonSchema,
    examples: folder.examples as Skill['examples'],
    markdown: folder.markdown,
    check,
  })
}

/** What resolves to a skill. */
const namesOf = ({ id, operationId, aliases }: Pick<Skill, 'id' | 'operationId' | 'aliases'>) => [
  ...new Set([id, operationId, ...aliases].map(canonicalName)),
]

/** Longer names are compared by their beginning: a distance costs time by the length. */
const LONGEST_NAME = 40

function canonicalName(name: string): string {
  return name.toLowerCase().replaceAll('_', '-')
}
