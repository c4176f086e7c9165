/** Every hint and warning that a verdict can have, with its words: collected from the profiles. */
import { PROFILES } from '../checks.ts'
import type { Mend, Profile } from '../profile.ts'
import type { CheckType, HintCode, WarningCode } from '../verdict.ts'

export interface Advice {
  readonly types: readonly CheckType[]
  readonly explanation: string
  readonly mend?: Mend
}

/** `details.hint` of a refused value: how to mend it. */
export const HINTS = collected('hints') as Readonly<Record<HintCode, Advice>>

/** `details.warnings` of a valid value, which do not change the verdict. */
export const WARNINGS = collected('warnings') as Readonly<Record<WarningCode, Advice>>

function collected(kind: 'hints' | 'warnings'): Readonly<Record<string, Advice>> {
  const found: Record<string, Advice> = {}
  for (const [type, profile] of Object.entries(PROFILES) as readonly [CheckType, Profile][])
    for (const [code, explanation] of Object.entries(profile[kind])) {
      const mend = profile.mends[code]
      found[code] = { types: [...(found[code]?.types ?? []), type], explanation, ...(mend && { mend }) }
    }
  return Object.fromEntries(Object.entries(found).sort(([one], [other]) => (one < other ? -1 : 1)))
}

/** Those of a check, in alphabetical order. */
export const codesOf = (table: Readonly<Record<string, Advice>>, type: CheckType): readonly string[] =>
  Object.keys(table).filter((code) => table[code]!.types.includes(type))
