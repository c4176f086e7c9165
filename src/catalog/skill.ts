import type { Profile } from 'format-checker-checks/internal/profile'
import type { Check, CheckType, Verdict } from 'format-checker-checks/verdict'
import type { ErrorCode } from '../errors.ts'

export interface Source {
  readonly title: string
  /** The edition in force, e.g. "release 103". */
  readonly edition: string
  readonly url: string
  /** ISO date (YYYY-MM-DD) of the edition. */
  readonly date: string
  readonly decides: string
}

export interface SkillFile {
  /** For lists inside a sentence: "email address". */
  readonly name: string
  readonly title: string
  readonly summary: string
  /** What it checks and what it does not; at most 450 characters. */
  readonly description: string
  readonly tags: readonly string[]
  /** Whether a value is personal data, as a cell of the table in docs/privacy.md. */
  readonly personal: string
  readonly input: string
  /** Further names of the check in orders written as text, in any spacing and case; none influences a verdict. */
  readonly orders: readonly string[]
  /** Further headings of a column with its values, beside its id. */
  readonly headings: readonly string[]
  readonly checked: readonly string[]
  readonly notChecked: readonly string[]
  readonly edgeCases: readonly string[]
  readonly privacy?: string
  /** Values by their titles; published or made up, never a real person's. */
  readonly examples: Readonly<Record<string, string>>
  readonly mistakes: readonly string[]
  readonly sources: readonly Source[]
}

/** A test compares its output with the check's answer. */
export interface Example {
  readonly title: string
  readonly input: { readonly value: string }
  readonly output: Verdict
}

/** A JSON Schema (2020-12) as plain data. */
export type JsonSchema = Readonly<Record<string, unknown>>

/** Undefined if the input is valid. */
export type InputFault = (input: unknown) => ErrorCode | undefined

/** A check as it is published and sold; frozen at startup. */
export interface Skill
  extends Omit<SkillFile, 'examples'>,
    Pick<Profile, 'ruleset' | 'aliases' | 'outline' | 'mask' | 'codes' | 'facts'> {
  readonly id: CheckType
  /** The operation id of the specification, e.g. "validate_eu_vat"; also the MCP tool's name. */
  readonly operationId: string
  readonly inputSchema: JsonSchema
  /** Callers use `readInput`. */
  readonly inputFault: InputFault
  readonly outputSchema: JsonSchema
  readonly examples: readonly [Example, ...Example[]]
  /** `SKILL.md`. */
  readonly markdown: string
  /** Its part on hints and warnings, with what was measured of them. */
  readonly advice: string
  readonly check: Check
}

export interface SkillRegistry {
  /** In the order of `CHECK_TYPES`. */
  readonly all: readonly [Skill, ...Skill[]]
  get(id: string): Skill | undefined
  /** Finds a skill by id, operation id or alias, in any case and with "_" for "-". */
  resolve(name: string): Skill | undefined
  /** For a name that resolves to nothing; undefined if no name is near. */
  nearest(name: string): Skill | undefined
}
