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

/** The columns added to those of the input. */
export const RESULT_COLUMNS = ['valid', 'code', 'reason', 'normalized'] as const

/** The cells of {@link RESULT_COLUMNS}. */
export function resultCells(result: RowResult): readonly string[] {
  if (result.kind === 'skipped') return ['', result.code, '', '']
  const { valid, code, reason, normalized } = result
  return [String(valid), code, reason, normalized ?? '']
}
