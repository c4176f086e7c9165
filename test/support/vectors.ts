/** The test vectors of a check, shared with the documentation. */
import { readFileSync } from 'node:fs'
import type { CheckType, VerdictCode } from '../../src/checks/verdict.ts'

export interface Vector {
  readonly value: string
  readonly valid: boolean
  readonly code: VerdictCode
  /** What the value shows, or where it comes from. */
  readonly note: string
  /** Members that the result's details have to have. */
  readonly details?: Readonly<Record<string, unknown>>
}

/** Reads `test/vectors/<name>.json`. */
export function vectors(name: string): readonly Vector[] {
  return JSON.parse(readFileSync(new URL(`../vectors/${name}.json`, import.meta.url), 'utf8')) as Vector[]
}

/** The valid vectors of a type that are written in its compact form. */
export const compactVectors = (type: CheckType): readonly Vector[] =>
  vectors(type).filter(({ value, valid }) => valid && /^[0-9A-Z]+$/.test(value))

/** The names of the files with vectors of a type. */
export const vectorFiles = (type: CheckType): readonly string[] => [type, ...(MORE_FILES[type] ?? [])]

const MORE_FILES: Readonly<Partial<Record<CheckType, readonly string[]>>> = { iban: ['iban-registry'] }
