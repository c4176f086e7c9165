/** Runs pieces of work one after the other, in the order in which they came. */
export type Lock = <T>(work: () => Promise<T>) => Promise<T>

/** A lock among the callers of this process. */
export function createMutex(): Lock {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const turn = last.then(work, work)
    last = turn.catch(() => {})
    return turn
  }
}
