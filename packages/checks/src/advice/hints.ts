import { PROFILES } from '../light-checks.ts'
import type { Hint, Mend, Profile } from '../profile.ts'
import type { CheckType, HintCode, WarningCode } from '../verdict.ts'

export interface Advice {
  readonly types: readonly CheckType[]
  readonly explanation: string
  readonly mend?: Mend
}

/** How to mend a refused value. */
export const HINTS = collected('hints') as Readonly<Record<HintCode, Advice>>

/** They do not change the verdict. */
export const WARNINGS = collected('warnings') as Readonly<Record<WarningCode, Advice>>

function collected(kind: 'hints' | 'warnings'): Readonly<Record<string, Advice>> {
  const found: Record<string, Advice> = {}
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
