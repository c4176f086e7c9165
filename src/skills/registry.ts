/**
 * Joins the words of the skills with their checks; fails at startup where one side lacks the other. The form of the files
 * is tested (test/skills/skill-folders.test.ts) and not looked at again.
 */
import type { Ajv2020 } from 'ajv/dist/2020.js'
import type { Profile } from '../checks/result.ts'
import { CHECK_TYPES, type Check, type CheckType } from '../checks/verdict.ts'
import { deepFreeze } from '../json.ts'
import { closest } from './closest.ts'
import type { SkillFolder } from './load.ts'
import type { JsonSchema, Skill, SkillRegistry, Words } from './skill.ts'
import { StartupError } from './startup-error.ts'
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

/**
 * Builds the registry from the folders read by `loadSkillFolders`.
 *
 * Throws a {@link StartupError} of one line for a folder without a check, a check without a folder, and a name that two
 * skills claim.
 */
export function buildRegistry(folders: readonly SkillFolder[], { checks, profiles }: Checks): SkillRegistry {
  const compiler = schemaCompiler()
  const byName = new Map(folders.map((folder) => [folder.name, folder]))
  for (const name of byName.keys()) {
    if (!Object.hasOwn(checks, name)) throw new StartupError(`skills/${name}: there is no check of this type`)
  }
  const all = CHECK_TYPES.map((type) => {
    const folder = byName.get(type)
    if (folder === undefined) throw new StartupError(`skills/${type}: the folder of this check is missing`)
    if (checks[type] === undefined) throw new StartupError(`skills/${type}: there is no check of this type`)
    return joinSkill(folder, compiler, checks[type], profiles[type])
  })
  const byId = new Map<string, Skill>(all.map((skill) => [skill.id, skill]))
  const names = nameIndex(all)
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
  if (file.id !== folder.name)
    throw new StartupError(`skills/${folder.name}/skill.json: id is not the folder's name`)
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

function nameIndex(skills: readonly Skill[]): ReadonlyMap<string, Skill> {
  const index = new Map<string, Skill>()
  for (const skill of skills) {
    for (const name of new Set([skill.id, skill.operationId, ...skill.aliases].map(canonicalName))) {
      if (index.has(name))
        throw new StartupError(`skills/${skill.id}/skill.json: another skill is called ${name} too`)
      index.set(name, skill)
    }
  }
  return index
}

/** Longer names are compared by their beginning: a distance costs time by the length. */
const LONGEST_NAME = 40

function canonicalName(name: string): string {
  return name.toLowerCase().replaceAll('_', '-')
}
