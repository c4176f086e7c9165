/** The test vectors of a check, shared with the documentation. */
import { readFileSync } from 'node:fs'
import type { VerdictCode } from '../../src/checks/verdict.ts'

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
