/** What became of a row. */
export type RowResult =
  | {
      readonly kind: 'checked'
      readonly valid: boolean
      readonly code: string
      readonly reason: string
      /** Masked; null if invalid. */
      readonly normalized: string | null
    }
  /** Not sent, not charged; `code` says why. */
  | { readonly kind: 'skipped'; readonly code: string }

export type Checked = Extract<RowResult, { kind: 'checked' }>

const RESULT_NAMES = ['valid', 'code', 'reason', 'normalized'] as const

/** The added columns, renamed where the input has a column of that name, such as `code`. */
export const resultColumns = (header: readonly string[]): readonly string[] =>
  RESULT_NAMES.map((name) => {
    let free: string = name
    for (let number = 2; header.includes(free); number += 1) free = `${name}_${number}`
    return free
  })

/** The cells of {@link resultColumns}. */
export function resultCells(result: RowResult): readonly string[] {
  if (result.kind === 'skipped') return ['', result.code, '', '']
  const { valid, code, reason, normalized } = result
  return [String(valid), code, reason, normalized ?? '']
}
