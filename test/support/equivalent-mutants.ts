/** A mutant that no vector notices. */
export interface Survivor {
  /** Path of the module below `src/checks`. */
  readonly path: string
  /** The line that was changed, without its indentation. */
  readonly code: string
  /** "`before` → `after`". */
  readonly change: string
}

/** Mutants that change no answer: the module, a part of the line, the change, and why it alters nothing. */
const REASONS: readonly (readonly [path: RegExp, code: string, change: RegExp, reason: string])[] = [
]

/** Why a surviving mutant changes no answer; undefined when it could. */
export function reasonOf({ path, code, change }: Survivor): string | undefined {
  return REASONS.find(
    ([module, part, changes]) => module.test(path) && code.includes(part) && changes.test(change),
  )?.[3]
}
