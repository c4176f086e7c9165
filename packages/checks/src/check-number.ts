/** The steps that checks of numbers share: characters, compact form, rules, and advice on a value that breaks one. */
import { advise, type Found } from './advice/advise.ts'
import { foreignCharacter, type NumberForm } from './advice/foreign-character.ts'
import type { CodeOf, Hint, HintOf, Profile } from './profile.ts'
import { type FailureOf, rejected, type VerdictOf } from './result.ts'
import type { NUMBER_CODES, NUMBER_HINTS } from './shared-profile.ts'
import { compactNumber, PREFIX_REMOVED, scanNumber } from './text/normalize.ts'

type NumberProfile = Profile & {
  readonly codes: Readonly<Record<keyof typeof NUMBER_CODES, string>>
  readonly hints: Readonly<Record<keyof typeof NUMBER_HINTS, Hint>>
}

export interface NumberCheck<P extends NumberProfile, C extends CodeOf<P>>
  extends Omit<NumberForm<HintOf<P>>, 'fits'>,
    Partial<Pick<NumberForm, 'fits'>> {
  readonly profile: P
  readonly keep: number
  readonly drop: number
  /** The first rule, in order of precedence, that a number breaks; `compact` still has the prefix of the outline. */
  readonly judge: (number: string, compact: string) => C
  readonly accept: (number: string, steps: number) => VerdictOf<P>
  readonly fail: (code: Exclude<C, 'ok'>, value: string, number: string) => FailureOf<P>
  readonly foreign?: (value: string, index: number) => FailureOf<P>
}

export function numberCheck<P extends NumberProfile, C extends CodeOf<P>>({
  fits: given,
  ...check
}: NumberCheck<P, C>): (value: string) => VerdictOf<P> {
  const { profile, keep, drop, judge, accept, fail } = check
  const { prefix = '' } = profile.outline
  const form: NumberForm<HintOf<P>> = {
    ...check,
    fits: given ?? ((number) => judge(number, number) === 'ok'),
  }
  const { foreign = (value, index) => foreignCharacter(value, index, form) as FailureOf<P> } = check
  // Every profile of a number has the codes, hints and facts of advice.
  const advised = (failure: FailureOf<P>, value: string) =>
    advise(failure as Found, value, form) as FailureOf<P>
  return (value) => {
    const steps = scanNumber(value, keep, drop)
    if (steps < 0) return rejected(profile, 0, advised(foreign(value, ~steps), value))
    const compact = compactNumber(value, steps)
    const isPrefixed = prefix !== '' && compact.startsWith(prefix)
    const number = isPrefixed ? compact.slice(prefix.length) : compact
    const allSteps = isPrefixed ? steps | PREFIX_REMOVED : steps
    const code = judge(number, compact)
    if (code === 'ok') return accept(number, allSteps)
    return rejected(profile, allSteps, advised(fail(code as Exclude<C, 'ok'>, value, number), value))
  }
}
