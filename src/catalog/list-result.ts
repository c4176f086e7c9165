import type { Verdict } from 'format-checker-checks/verdict'

/** Each result is what a single call would get. */
export interface ListResult {
  readonly count: number
  readonly valid: number
  readonly invalid: number
  readonly results: readonly Verdict[]
}

export function listResult(results: readonly Verdict[]): ListResult {
  const valid = results.filter((verdict) => verdict.valid).length
  return { count: results.length, valid, invalid: results.length - valid, results }
}

export const LIST_RESULT_SCHEMA = {
  properties: {
    count: { type: 'integer' },
    valid: { type: 'integer' },
    invalid: { type: 'integer' },
    results: { type: 'array', items: { type: 'object' }, description: 'In the order of the items.' },
  },
  required: ['count', 'valid', 'invalid', 'results'],
}
