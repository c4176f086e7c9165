import { passingEntries } from '../../../passing-entries.ts'

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

interface Queued<T> {
  readonly copy: string
  readonly turn: Promise<Turn<T>>
}

/** One call of a channel at a time, in the order of their arrival. */
export function createTurns<T>(
  waitMs: number,
  sleep: (ms: number, signal?: AbortSignal) => Promise<void>,
): Turns<T> {
  const queues = passingEntries<Queued<T>[]>()
  return {
    async run(channelId, copy, work) {
      const queue = queues.get(channelId) ?? []
      queues.set(channelId, queue)
      const same = queue.find((each) => each.copy === copy)
      if (same !== undefined) return { ...(await same.turn), shared: true }
      // All of them, since one that is late is over while an earlier one may still run.
      const before = Promise.allSettled(queue.map((each) => each.turn))
      const turn = queue.length === 0 ? ran(work) : waitFor(before, waitMs, sleep, work)
      const mine = { copy, turn }
      queue.push(mine)
      try {
        return { ...(await turn), shared: false }
      } finally {
        queue.splice(queue.indexOf(mine), 1)
        if (queue.length === 0) queues.delete(channelId)
      }
    },
  }
}

const ran = async <T>(work: () => Promise<T>): Promise<Turn<T>> => ({ kind: 'ran', result: await work() })

async function waitFor<T>(
  before: Promise<unknown>,
  waitMs: number,
  sleep: (ms: number, signal?: AbortSignal) => Promise<void>,
  work: () => Promise<T>,
): Promise<Turn<T>> {
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
