export type Lock = <T>(work: () => Promise<T>) => Promise<T>

/** Callers of this process take turns; their work also runs inside `outer`. */
export function createMutex(outer: Lock = (work) => work()): Lock {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const run = () => outer(work)
    const turn = last.then(run, run)
    last = turn.catch(() => {})
    return turn
  }
}
