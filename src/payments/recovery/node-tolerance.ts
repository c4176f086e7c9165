import { type ChainReader, ChainUnavailable } from '../chain/chain-reader.ts'

/** Rows in a row the node may fail at, although it answers, before a run is given up. */
const MOST_FAILURES = 5

/**
 * Runs the work for one row after another against a node that may fail; `gave_up` means that the run is over.
 *
 * A node that is gone ends the run at once. One that is there and cannot answer about a single row must not let that
 * row stand in the way of all behind it.
 */
export function createNodeTolerance(chain: ChainReader) {
  let failures = 0
  return async <T>(work: () => Promise<T>): Promise<T | 'failed' | 'gave_up'> => {
    try {
      const result = await work()
      failures = 0
      return result
    } catch (error) {
      if (!(error instanceof ChainUnavailable)) throw error
      failures += 1
      if (failures >= MOST_FAILURES) return 'gave_up'
      const there = await chain.head().then(
        () => true,
        () => false,
      )
      return there ? 'failed' : 'gave_up'
    }
  }
}
