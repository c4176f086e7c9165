/** Every hint and warning that a verdict can have, with its words: collected from the profiles. */
import { PROFILES } from '../checks.ts'
import type { Hint, Mend, Profile } from '../profile.ts'
import type { CheckType, HintCode, WarningCode } from '../verdict.ts'
import { RETIRED_HINTS } from './retired-hints.ts'

export interface Advice {
  /** Checks that send it; none if it is retired. */
  readonly types: readonly CheckType[]
  readonly explanation: string
  readonly mend?: Mend
}

/** `details.hint` of a refused value: how to mend it. With those that are no longer sent. */
export const HINTS = collected('hints', RETIRED_HINTS) as Readonly<
  Record<HintCode | keyof typeof RETIRED_HINTS, Advice>
>

/** `details.warnings` of a valid value, which do not change the verdict. */
export const WARNINGS = collected('warnings') as Readonly<Record<WarningCode, Advice>>

function collected(
  kind: 'hints' | 'warnings',
  retired: Readonly<Record<string, string>> = {},
): Readonly<Record<string, Advice>> {
  const found: Record<string, Advice> = {}
  for (const [code, explanation] of Object.entries(retired)) found[code] = { types: [], explanation }
  for (const [type, profile] of Object.entries(PROFILES) as readonly [CheckType, Profile][])
    for (const [code, hint] of Object.entries<Hint>(profile[kind])) {
      const { words, ...mend } = typeof hint === 'string' ? { words: hint } : hint
      found[code] = { types: [...(found[code]?.types ?? []), type], explanation: words, ...mend }
    }
  return Object.fromEntries(Object.entries(found).sort(([one], [other]) => (one < other ? -1 : 1)))
}

/** Those of a check, in alphabetical order. */
export const codesOf = (table: Readonly<Record<string, Advice>>, type: CheckType): readonly string[] =>
  Object.keys(table).filter((code) => table[code]!.types.includes(type))
