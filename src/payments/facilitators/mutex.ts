/** Runs pieces of work one after the other, in the order in which they came. */
export type Lock = <T>(work: () => Promise<T>) => Promise<T>

/** A lock among the callers of this process, one of whom at a time asks for the further lock where there is one. */
export function createMutex(further: Lock = (work) => work()): Lock {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const run = () => further(work)
    const turn = last.then(run, run)
    last = turn.catch(() => {})
    return turn
  }
}
