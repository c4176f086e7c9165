/** Runs work one after the other, in the order of the calls. */
export type Lock = <T>(work: () => Promise<T>) => Promise<T>

/** A lock among the callers of this process; work runs inside `outer` too, if given. */
export function createMutex(outer: Lock = (work) => work()): Lock {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const run = () => outer(work)
    const turn = last.then(run, run)
    last = turn.catch(() => {})
    return turn
  }
}
