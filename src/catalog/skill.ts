import type { Check, CheckType, Verdict } from '../checks/verdict.ts'
import type { ErrorCode } from '../errors.ts'

/** A published source of a check's rules: a standard, an act or a register. */
export interface Source {
  readonly title: string
  /** The edition in force, e.g. "release 103". */
  readonly edition: string
  readonly url: string
  /** ISO date (YYYY-MM-DD) of the edition. */
  readonly date: string
  /** The rules of the check that come from it. */
  readonly decides: string
}

/** What people call a check and its values. Only the labels influence a verdict; they come from the check's profile. */
export interface Words {
  /** Further names of the check in orders written as text, in any spacing and case. */
  readonly orders: readonly string[]
  /** Further headings of a column with its values, beside its id. */
  readonly headings: readonly string[]
  /** How many letters and digits a value may have; empty for values that are never written in groups. */
  readonly sizes: readonly number[]
  /** Names that the check accepts in front of a value: "IBAN: DE89…". */
  readonly labels: readonly string[]
}

/** A test compares its output with the check's answer. */
export interface Example {
  readonly title: string
  readonly input: { readonly value: string }
  readonly output: Verdict
}

/** A JSON Schema (2020-12) as plain data. */
export type JsonSchema = Readonly<Record<string, unknown>>

/** Returns the code of the first error; undefined if the input is valid. */
export type InputFault = (input: unknown) => ErrorCode | undefined

/** A check as it is published and sold; frozen at startup. */
export interface Skill {
  readonly id: CheckType
  /** The operation id of the specification, e.g. "validate_eu_vat"; also the MCP tool's name. */
  readonly operationId: string
  /** For lists inside a sentence: "email address". */
  readonly name: string
  readonly title: string
  readonly summary: string
  /** What it checks and what it does not; at most 450 characters. */
  readonly description: string
  readonly tags: readonly string[]
  /** Other names a client may use, e.g. "vat"; compared without case. */
  readonly aliases: readonly string[]
  /** Whether a value is personal data, as a cell of the table in docs/privacy.md. */
  readonly personal: string
  readonly words: Words
  readonly sources: readonly Source[]
  readonly ruleset: string
  readonly inputSchema: JsonSchema
  /** Callers use `readInput`. */
  readonly inputFault: InputFault
  readonly outputSchema: JsonSchema
  readonly examples: readonly [Example, ...Example[]]
  readonly markdown: string
  readonly check: Check
}

export interface SkillRegistry {
  /** In the order of `CHECK_TYPES`. */
  readonly all: readonly [Skill, ...Skill[]]
  /** Finds a skill by its exact id. */
  get(id: string): Skill | undefined
  /** Finds a skill by id, operation id or alias, in any case and with "_" for "-". */
  resolve(name: string): Skill | undefined
  /** For a name that resolves to nothing: the skill that was probably meant; undefined if no name is near. */
  nearest(name: string): Skill | undefined
}
