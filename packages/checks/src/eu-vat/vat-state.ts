import { compileVatFormat, matchesVatFormat, type VatFormat } from './format.ts'
import type { MemberState } from './member-state.ts'
import { MEMBER_STATES } from './member-states.ts'

export interface VatState {
  readonly state: MemberState
  readonly formats: readonly VatFormat[]
  readonly displays: readonly string[]
  readonly lengths: readonly number[]
  readonly passed: NationalResult
  readonly failed: NationalResult
}

export interface NationalResult {
  readonly algorithm: string
  readonly result: 'passed' | 'failed'
}

export const PREFIX = 2

const STATES: ReadonlyMap<string, VatState> = new Map(
  [...MEMBER_STATES].map(([prefix, state]) => [prefix, compileState(state)]),
)

export function vatState(vat: string): VatState | undefined {
  return STATES.get(vat.slice(0, PREFIX))
}

export function formatOf(vat: string, { formats }: VatState): VatFormat | undefined {
  for (const format of formats) if (matchesVatFormat(vat, format)) return format
  return undefined
}

/** Whether a compact value fits some state, check digits included, once its prefix is added. */
export function isWithoutPrefix(compact: string): boolean {
  return [...STATES].some(
    ([prefix, state]) =>
      formatOf(prefix + compact, state) !== undefined && state.state.national.passes(compact),
  )
}

export const hasFormat = (compact: string): boolean =>
  [...STATES].some(([prefix, state]) => formatOf(prefix + compact, state) !== undefined)

function compileState(state: MemberState): VatState {
  const formats = state.formats.map((shape) => compileVatFormat(state.prefix, shape))
  const { algorithm } = state.national
  return Object.freeze({
    state,
    formats: Object.freeze(formats),
    displays: Object.freeze(formats.map((format) => format.display)),
    lengths: Object.freeze([...new Set(state.formats.map(({ length }) => length))].sort((a, b) => a - b)),
    passed: Object.freeze({ algorithm, result: 'passed' }),
    failed: Object.freeze({ algorithm, result: 'failed' }),
  })
}
