import { type InFlightMap, inFlightMap } from '../../../in-flight-map.ts'

/** A piece of work that ran, or whose turn did not come in time. */
export type Turn<T> = { readonly kind: 'ran'; readonly result: T } | { readonly kind: 'late' }

export interface Turns<T> {
  /**
   * Runs `work` once all earlier work of the channel is done. Identical copies of a request, by `copy`, share the one
   * that runs or waits. Work that waited longer than the limit does not run.
   */
  run(
    channelId: string,
    copy: string,
    work: () => Promise<T>,
  ): Promise<Turn<T> & { readonly shared: boolean }>
}

/** One call of a channel at a time, in the order of their arrival. */
export function createTurns<T>(
  waitMs: number,
  sleep: (ms: number, signal?: AbortSignal) => Promise<void>,
): Turns<T> {
  const queues = inFlightMap<InFlightMap<Promise<Turn<T>>>>()
  return {
    async run(channelId, copy, work) {
      const queue = queues.get(channelId) ?? inFlightMap()
      queues.set(channelId, queue)
      const same = queue.get(copy)
      if (same !== undefined) return { ...(await same), shared: true }
      const turn = queue.size() === 0 ? ran(work) : waitFor(queue.values(), waitMs, sleep, work)
      queue.set(copy, turn)
      try {
        return { ...(await turn), shared: false }
      } finally {
        queue.delete(copy)
        if (queue.size() === 0) queues.delete(channelId)
      }
    },
  }
}

const ran = async <T>(work: () => Promise<T>): Promise<Turn<T>> => ({ kind: 'ran', result: await work() })

async function waitFor<T>(
  earlier: readonly Promise<Turn<T>>[],
  waitMs: number,
  sleep: (ms: number, signal?: AbortSignal) => Promise<void>,
  work: () => Promise<T>,
): Promise<Turn<T>> {
  // All of them, since one that is late is over while an earlier one may still run.
  const before = Promise.allSettled(earlier)
  const limit = new AbortController()
  const isTurn = await Promise.race([
    before.then(() => true),
    sleep(waitMs, limit.signal).then(
      () => false,
      () => false,
    ),
  ])
  limit.abort()
  return isTurn ? ran(work) : { kind: 'late' }
}
