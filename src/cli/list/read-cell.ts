import type { Skill } from '../../skills/skill.ts'
import { readInput } from '../../skills/validate-input.ts'
import type { InputRow } from './input-row.ts'

/** A value to send, or why the cell has none. */
export type Cell =
  | { readonly ok: true; readonly value: string }
  | { readonly ok: false; readonly code: string }

/** Applies the service's rules to a cell, so that a value it would refuse is not paid for. */
export function readCell(skill: Skill, value: unknown): Cell {
  if (value === undefined) return { ok: false, code: 'not_json' }
  if (value === null || (typeof value === 'string' && value.trim() === ''))
    return { ok: false, code: 'empty' }
  return readInput(skill, { value })
}

/** Reads the cell of a row that is to be checked. */
export const readRow = (skill: Skill, { isShifted = false, value }: InputRow): Cell =>
  isShifted ? { ok: false, code: 'too_many_cells' } : readCell(skill, value)
