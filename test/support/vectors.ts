/** The test vectors of a check, shared with the documentation. */
import { readFileSync } from 'node:fs'
import { PROFILES } from 'format-checker-checks'
import type { Outline } from 'format-checker-checks/internal/profile'
import type { CheckType, VerdictCode } from 'format-checker-checks/verdict'

export interface Vector {
  readonly value: string
  readonly valid: boolean
  readonly code: VerdictCode
  /** What the value shows, or where it comes from. */
  readonly note: string
  /** Present if the value is a mistake: what it should have been; null when it cannot be known. */
  readonly meant?: string | null
  /** Members that the result's details have to have. */
  readonly details?: Readonly<Record<string, unknown>>
}

/** Reads `test/vectors/<name>.json`. */
export function vectors(name: string): readonly Vector[] {
  return JSON.parse(readFileSync(new URL(`../vectors/${name}.json`, import.meta.url), 'utf8')) as Vector[]
}

export const outlineOf = (type: CheckType): Outline => PROFILES[type].outline

/** Whether values are no numbers: they have no separators, and their characters are of any kind. */
export const isText = (type: CheckType): boolean => outlineOf(type).kind === 'text'

/** The valid vectors of a type that are written in its compact form. */
export const compactVectors = (type: CheckType): readonly Vector[] =>
  vectors(type).filter(({ value, valid }) => valid && (isText(type) ? /^\S+$/ : /^[0-9A-Z]+$/).test(value))

/** The names of the files with vectors of a type. */
export const vectorFiles = (type: CheckType): readonly string[] => [type, ...(MORE_FILES[type] ?? [])]

const MORE_FILES: Readonly<Partial<Record<CheckType, readonly string[]>>> = { iban: ['iban-registry'] }
