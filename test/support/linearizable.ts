/** One call of a history, on one register. Times come from one clock; `end` is Infinity while no answer has come. */
export interface Operation<S> {
  readonly begin: number
  readonly end: number
  /** What the call does to a state, if it takes effect there; the answer it then gives. */
  readonly apply: (state: S) => { readonly state: S; readonly answer: unknown }
  /** The answer that was given; undefined if there was none, so that the call may have taken effect or not. */
  readonly answer?: unknown
  /** For messages. */
  readonly name: string
}

/**
 * Whether the calls of a history can be put in one order in which each gives the answer it gave, and no call comes
 * before another that had ended when it began (Herlihy and Wing 1990; search by Wing and Gong 1993). States are texts.
 *
 * A call without an answer may take effect at any time after its beginning, or never.
 */
export function isLinearizable(first: string, history: readonly Operation<string>[]): boolean {
  const operations = history.toSorted((one, other) => one.begin - other.begin)
  const isKnown = operations.map(({ answer }) => answer !== undefined)
  const tried = new Set<string>()

  const search = (done: bigint, state: string, left: number): boolean => {
    if (left === 0) return true
    const place = `${done}/${state}`
    if (tried.has(place)) return false
    tried.add(place)
    let firstEnd = Number.POSITIVE_INFINITY
    for (const [index, { end }] of operations.entries())
      if (isKnown[index] && (done & (1n << BigInt(index))) === 0n) firstEnd = Math.min(firstEnd, end)
    for (const [index, { begin, apply, answer }] of operations.entries()) {
      // From here on every call began after one had ended that is not in the order yet.
      if (begin > firstEnd) break
      if ((done & (1n << BigInt(index))) !== 0n) continue
      const applied = apply(state)
      const next = done | (1n << BigInt(index))
      if (isKnown[index]) {
        if (applied.answer === answer && search(next, applied.state, left - 1)) return true
      } else if (applied.state !== state && search(next, applied.state, left)) return true
    }
    return false
  }
  return search(0n, first, isKnown.filter((known) => known).length)
}
