import type { Check, CheckType, Verdict } from '../checks/verdict.ts'
import type { ErrorCode } from '../errors.ts'

/** A published source of rules: a standard, an act or a register. */
export interface Source {
  readonly title: string
  /** The edition in force, e.g. "release 103". */
  readonly edition: string
  readonly url: string
  /** ISO date (YYYY-MM-DD) of the edition. */
  readonly date: string
  readonly decides: string
}

/** What people call a check and its values. Only the labels decide a verdict; they come from the check's profile. */
export interface Words {
  /** Names of the check in orders in prose, beside its id and aliases; any spacing and case. */
  readonly orders: readonly string[]
  /** Headings of columns with its values, beside its id. */
  readonly headings: readonly string[]
  /** Numbers of letters and digits of a value that may be written in groups; empty if it is written in one word. */
  readonly sizes: readonly number[]
  /** Names in front of a value that the check recognises: "IBAN: DE89…". */
  readonly labels: readonly string[]
}

/** A worked example; a test holds its output to what the check answers. */
export interface Example {
  readonly title: string
  readonly input: { readonly value: string }
  readonly output: Verdict
}

/** A JSON Schema (2020-12) as plain data. */
export type JsonSchema = Readonly<Record<string, unknown>>

/** Returns the error of an input by its schema; undefined if it is valid. */
export type InputFault = (input: unknown) => ErrorCode | undefined

/** A check with a name, schemas, examples, a price and words; frozen at startup. */
export interface Skill {
  readonly id: CheckType
  /** The operation id of the specification, e.g. "validate_eu_vat"; also the MCP tool's name. */
  readonly operationId: string
  /** What is checked, for lists inside a sentence: "email address". */
  readonly name: string
  readonly title: string
  readonly summary: string
  /** What it checks, what it does not, in a few sentences; at most 450 characters. */
  readonly description: string
  readonly tags: readonly string[]
  /** Other names a caller may use, e.g. "vat"; matched without case. */
  readonly aliases: readonly string[]
  /** Whether a value is personal data, for docs/gdpr.md. */
  readonly personal: string
  readonly words: Words
  readonly sources: readonly Source[]
  readonly ruleset: string
  readonly inputSchema: JsonSchema
  /** The input schema, compiled once; callers use `readInput`. */
  readonly inputFault: InputFault
  readonly outputSchema: JsonSchema
  readonly examples: readonly [Example, ...Example[]]
  readonly markdown: string
  readonly check: Check
}

/** All skills, in the order of the list of types. */
export interface SkillRegistry {
  readonly all: readonly [Skill, ...Skill[]]
  /** By id exactly as published. */
  get(id: string): Skill | undefined
  /** By id, operation id or alias, in any case and with "_" for "-". */
  resolve(name: string): Skill | undefined
  /** The skill whose name is nearest to one that resolves to none; undefined if none is near. */
  nearest(name: string): Skill | undefined
}
