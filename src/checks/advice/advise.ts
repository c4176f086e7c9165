/** Advice on a whole value, asked before what is wrong with one of its characters. */
import { mayBeNumber } from '../text/may-be-value.ts'
import { digitsOfNotation } from '../text/scientific-notation.ts'
import { isNumeric, LABEL_FAILURE, type NumberForm } from './foreign-character.ts'
import { areSeveral, hasRival, numbersIn, type Part } from './parts.ts'

/** What any check finds wrong. */
export interface Found {
  readonly code: string
  readonly reason?: string
  readonly hint?: string | undefined
  readonly position?: number | undefined
  readonly suspects?: readonly number[] | undefined
  readonly characterClass?: string | undefined
}

export function advise<F extends Found, H extends string>(failure: F, value: string, form: NumberForm<H>) {
  if (value.trim() !== '' && !mayBeNumber(value))
    return { ...withoutPlace(failure), hint: 'not_a_value' } as const
  if (digitsOfNotation(value) !== undefined) return { ...failure, hint: 'scientific_notation' } as const
  const { fits, isValid = fits } = form
  const parts = numbersIn(value, form)
  if (areSeveral(fits === isValid ? parts : numbersIn(value, form, isValid))) return severalValues(failure)
  const advised = parts.length === 0 ? undefined : partAdvice(failure, value, parts[0]!, form)
  if (advised !== undefined) return advised
  const hint = form.otherNumber?.(value)
  if (hint === undefined) return failure
  return failure.code === 'invalid_character' ? { ...withoutPlace(failure), hint } : { ...failure, hint }
}

export const severalValues = <F extends Found>(failure: F) =>
  ({
    ...withoutPlace(failure),
    hint: 'several_values',
    reason: 'The value holds more than one identifier; a call checks one.',
  }) as const

/** Keeps the code: what the advice says is true of no single character. */
export function withoutPlace<F extends Found>(failure: F) {
  const { position, suspects, characterClass, hint, ...rest } = failure
  return rest
}

/** Moves the place that a failure names; the class was that of the character there before. */
export function placedAt<F extends Found>({ characterClass, ...failure }: F, position: number) {
  return { ...failure, position }
}

export const HAS_TEXT = /[\p{L}\p{N}]/u
/** Letters and digits that touch the number, or digits one sign away, may belong to it, which is then another one. */
const TOUCHES_BEFORE = /\p{N}[^\p{L}:]?$/u
const TOUCHES_BEHIND = /^(?:\p{L}|[^\p{L}]?\p{N})/u
const IS_DECIMAL = /^[.,]0{1,2}\s*$/
const PREFIX_TWICE = /^(?:([A-Z]{2}U?)\1|(?:EL|GR){2}|UKGB)[A-Z]?\d/

/** Undefined if nothing can be cut off. */
function partAdvice<F extends Found, H extends string>(
  failure: F,
  value: string,
  { start, end, text }: Part,
  form: NumberForm<H>,
) {
  const { profile, twice } = form
  const span = { start, end }
  const points = [...value]
  const [before, behind] = [points.slice(0, start).join(''), points.slice(end).join('')]
  const isTwice =
    twice !== undefined &&
    HAS_TEXT.test(before) &&
    PREFIX_TWICE.test(before.replace(/[^\p{L}\p{N}]/gu, '').toUpperCase() + text)
  const isLabel =
    isTwice ||
    profile.labels.precede(value) ||
    !/\p{L}$/u.test(before) ||
    (!isNumeric(form) && /[A-Za-z]$/.test(before))
  if (!isLabel || (TOUCHES_BEFORE.test(before) && isNumeric(form))) return undefined
  if (TOUCHES_BEHIND.test(behind) && !IS_DECIMAL.test(behind)) return undefined
  if (!isTwice && [before, behind].some((side) => hasRival(side, text, form))) return severalValues(failure)
  if (isTwice) return { ...withoutPlace(failure), hint: twice, span }
  if (HAS_TEXT.test(before)) return { ...LABEL_FAILURE, span }
  if (HAS_TEXT.test(behind)) return { ...placedAt(failure, end), hint: 'remove_text_behind', span } as const
  const isAround = `${before}${behind}`.trim() !== ''
  return isAround && failure.hint === 'remove_character' ? { ...failure, span } : undefined
}
