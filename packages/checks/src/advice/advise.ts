/** Advice on a whole value, asked before what is wrong with one of its characters. */
import { mayBeNumber } from '../text/may-be-value.ts'
import { otherKind } from '../text/other-labels.ts'
import { digitsOfNotation } from '../text/scientific-notation.ts'
import { isNumeric, LABEL_FAILURE, type NumberForm } from './foreign-character.ts'
import { areSeveral, hasRival, numbersIn, type Part } from './parts.ts'
import type { ProvedSpan } from './proof.ts'

/** What any check finds wrong. */
export interface Found {
  readonly code: string
  readonly reason?: string
  readonly hint?: string | undefined
  readonly position?: number | undefined
  readonly suspects?: readonly number[] | undefined
  readonly characterClass?: string | undefined
  readonly span?: ProvedSpan | undefined
}

export function advise<F extends Found, H extends string>(failure: F, value: string, form: NumberForm<H>) {
  if (value.trim() !== '' && !mayBeNumber(value))
    return { ...withoutPlace(failure), hint: 'not_a_value' } as const
  if (digitsOfNotation(value) !== undefined) return { ...failure, hint: 'scientific_notation' } as const
  const { fits, isValid = fits } = form
  const { parts, otherKind } = namedParts(value, numbersIn(value, form), form)
  const valid = fits === isValid ? parts : numbersIn(value, form, isValid)
  if (areSeveral(valid) && areSeveral(namedParts(value, valid, form).parts)) return severalValues(failure)
  const advised = parts.length === 0 ? undefined : partAdvice(failure, value, parts, form)
  if (advised !== undefined) return advised
  const other = form.otherNumber?.(value)
  if (other === undefined) return otherKind === undefined ? failure : ofAnotherKind(failure, otherKind)
  if (typeof other === 'object') return ofAnotherKind(failure, other.kind)
  return failure.code === 'invalid_character'
    ? { ...withoutPlace(failure), hint: other }
    : { ...failure, hint: other }
}

/** `kind` is one of our own names, with its article. */
const ofAnotherKind = <F extends Found>(failure: F, kind: string) =>
  ({
    ...withoutPlace(failure),
    hint: 'other_number',
    reason: `The value is ${kind}, by its form or by what stands in front.`,
  }) as const

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
  parts: readonly Part[],
  form: NumberForm<H>,
) {
  const { start, end, text } = parts[0]!
  const { profile, twice } = form
  const points = [...value]
  const before = points.slice(0, start).join('')
  const behind = points.slice(endOfRepeats(points, parts)).join('')
  const isTwice =
    twice !== undefined &&
    HAS_TEXT.test(before) &&
    PREFIX_TWICE.test(before.replace(/[^\p{L}\p{N}]/gu, '').toUpperCase() + text)
  const isNamed = profile.labels.precede(value)
  const isLabel =
    isTwice || isNamed || !/\p{L}$/u.test(before) || (!isNumeric(form) && /[A-Za-z]$/.test(before))
  const isField = FIELD_IN_FRONT.test(before) && !isNumeric(form)
  if (!isLabel || (TOUCHES_BEFORE.test(before) && isNumeric(form))) return undefined
  const isEnding = profile.ending?.test(behind) === true
  if (TOUCHES_BEHIND.test(behind) && !IS_DECIMAL.test(behind) && !isEnding) return undefined
  if (!isTwice && !isField && [before, behind].some((side) => hasRival(side, text, form)))
    return severalValues(failure)
  const span: ProvedSpan = { start, end, proof: isNamed ? 'own label' : 'check digits' }
  if (isTwice) return { ...withoutPlace(failure), hint: twice, span }
  if (HAS_TEXT.test(before)) return { ...LABEL_FAILURE, span }
  const isFollowed = HAS_TEXT.test(behind) || end < endOfRepeats(points, parts)
  if (isFollowed) return { ...placedAt(failure, end), hint: 'remove_text_behind', span } as const
  const isAround = `${before}${behind}`.trim() !== ''
  return isAround && failure.hint === 'remove_character' ? { ...failure, span } : undefined
}

/** The field of a bank statement (MT940) in front of an account. */
const FIELD_IN_FRONT = /^\s*(?:\?3[01]|:25:)$/

/** Where the same number ends that is written more than once with signs between. */
function endOfRepeats(points: readonly string[], [first, ...others]: readonly Part[]): number {
  let { end } = first!
  for (const { start, end: next, text } of others) {
    if (text !== first!.text || HAS_TEXT.test(points.slice(end, start).join(''))) break
    end = next
  }
  return end
}

/** The parts that no name of another kind stands in front of, and that kind if none is left. */
function namedParts(
  value: string,
  parts: readonly Part[],
  form: NumberForm<string>,
): { readonly parts: readonly Part[]; readonly otherKind: string | undefined } {
  const points = parts.length === 0 ? [] : [...value]
  let from = 0
  let found: string | undefined
  const own = parts.filter(({ start, end }) => {
    const kind = otherKind(points.slice(from, start).join(''), form.profile)
    found ??= kind
    from = end
    return kind === undefined
  })
  // Letters that touch the digits of a number with letters are a part of it.
  const front = /^[^0-9]*/.exec(value)![0].replace(isNumeric(form) ? /$/ : /\p{L}{1,4}$/u, '')
  if (parts.length === 0 && (isNumeric(form) || !/\p{L}$/u.test(front)))
    found = otherKind(front, form.profile)
  return { parts: own, otherKind: own.length === 0 ? found : undefined }
}
