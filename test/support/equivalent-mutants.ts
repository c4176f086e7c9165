/** Mutants that change no answer, with the reason; a pattern over "path: change" each. */
const REASONS: readonly (readonly [RegExp, string])[] = []

/** Why a surviving mutant changes no answer; undefined when it could. */
export function reasonOf(survivor: { readonly path: string; readonly change: string }): string | undefined {
  return REASONS.find(([pattern]) => pattern.test(`${survivor.path}: ${survivor.change}`))?.[1]
}
