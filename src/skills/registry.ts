/** Joins the words of the skills with their checks; fails at startup where one side lacks the other. */
import { isDeepStrictEqual } from 'node:util'
import type { Ajv2020 } from 'ajv/dist/2020.js'
import type { Profile } from '../checks/result.ts'
import { CHECK_TYPES, type Check, type CheckType } from '../checks/verdict.ts'
import { deepFreeze } from '../json.ts'
import { closest } from './closest.ts'
import type { SkillFolder } from './load.ts'
import { schemaCompiler } from './schema-compiler.ts'
import type { Example, JsonSchema, Skill, SkillRegistry } from './skill.ts'
import { type SkillFileReader, skillFileReader } from './skill-file.ts'
import { StartupError } from './startup-error.ts'
import { compileInputFault } from './validate-input.ts'

export interface Checks {
  readonly checks: Readonly<Record<CheckType, Check>>
  readonly profiles: Readonly<Record<CheckType, Pick<Profile, 'ruleset' | 'labels'>>>
}

/**
 * Builds the registry from the folders read by `loadSkillFolders`.
 *
 * Throws a {@link StartupError} of one line for a folder without a check, a check without a folder, a malformed
 * file or schema, an example whose output does not fit its schema or is not what the check answers, and a name
 * that two skills claim.
 */
export function buildRegistry(folders: readonly SkillFolder[], { checks, profiles }: Checks): SkillRegistry {
  const compiler = schemaCompiler()
  const reader = skillFileReader(compiler)
  const byName = new Map(folders.map((folder) => [folder.name, folder]))
  for (const name of byName.keys()) {
    if (!Object.hasOwn(checks, name)) throw new StartupError(`skills/${name}: there is no check of this type`)
  }
  const all = CHECK_TYPES.map((type) => {
    const folder = byName.get(type)
    if (folder === undefined) throw new StartupError(`skills/${type}: the folder of this check is missing`)
    if (checks[type] === undefined) throw new StartupError(`skills/${type}: there is no check of this type`)
    return joinSkill(folder, { reader, compiler }, checks[type], profiles[type])
  })
  const byId = new Map<string, Skill>(all.map((skill) => [skill.id, skill]))
  const names = nameIndex(all)
  return Object.freeze({
    all: Object.freeze(all),
    get: (id: string) => byId.get(id),
    resolve: (name: string) => names.get(canonicalName(name)),
    nearest: (name: string) =>
      names.get(closest(canonicalName(name.slice(0, LONGEST_NAME)), [...names.keys()]) ?? ''),
  })
}

function joinSkill(
  folder: SkillFolder,
  { reader, compiler }: { readonly reader: SkillFileReader; readonly compiler: Ajv2020 },
  check: Check,
  { ruleset, labels }: Pick<Profile, 'ruleset' | 'labels'>,
): Skill {
  const file = reader.skill(folder.name, folder.skill)
  if (file.id !== folder.name)
    throw new StartupError(`skills/${folder.name}/skill.json: id is not the folder's name`)
  const inputSchema = schemaOf(folder.name, 'input', folder.inputSchema)
  const outputSchema = schemaOf(folder.name, 'output', folder.outputSchema)
  const examples = reader.examples(folder.name, folder.examples)
  const inputFault = orFault(`skills/${folder.name}/assets/input.schema.json`, () =>
    compileInputFault(inputSchema, compiler),
  )
  assertExamples(folder.name, examples, compiler, outputSchema, check)
  return deepFreeze({
    ...file,
    words: { ...file.words, labels: labels.names },
    ruleset,
    inputSchema,
    inputFault,
    outputSchema,
    examples,
    markdown: folder.markdown,
    check,
  })
}

/** A schema goes to clients as it stands: some of them choke on `$schema`, and all expect an object. */
function schemaOf(name: string, side: 'input' | 'output', schema: unknown): JsonSchema {
  const fault = (what: string) => new StartupError(`skills/${name}/assets/${side}.schema.json: ${what}`)
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) throw fault('is not an object')
  if ('$schema' in schema) throw fault('must not have a $schema member')
  if (!('type' in schema) || schema.type !== 'object') throw fault('must have the root type "object"')
  return schema as JsonSchema
}

function assertExamples(
  name: string,
  examples: readonly Example[],
  compiler: Ajv2020,
  schema: JsonSchema,
  check: Check,
): void {
  const path = `skills/${name}/assets`
  const validate = orFault(`${path}/output.schema.json`, () => compiler.compile(schema))
  for (const [index, example] of examples.entries()) {
    const place = `${path}/examples.json: example ${index + 1}`
    if (!validate(example.output)) throw new StartupError(`${place} does not fit the output schema`)
    if (!isDeepStrictEqual(check(example.input.value), example.output)) {
      throw new StartupError(`${place} is not what the check answers`)
    }
  }
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

function orFault<T>(path: string, act: () => T): T {
  try {
    return act()
  } catch (error) {
    throw new StartupError(`${path}: ${error instanceof Error ? error.message : 'is malformed'}`)
  }
}
