/**
 * Which client address made which unpaid task, in memory.
 *
 * Unpaid tasks are limited by the values they hold, since each value takes room. If the store is full, the oldest task
 * of the address with the most makes room, so that a few addresses cannot keep everyone else from ordering. Each address also has a share of its own.
 */

export interface UnpaidShares {
  /** Notes a task and how many values it holds; returns the ids of tasks that must end because of a share. */
  add(client: string, taskId: string, values?: number): readonly string[]
  remove(taskId: string): void
  /** Takes out the oldest task of the address with the most values; undefined without tasks. */
  evict(): string | undefined
}

export interface UnpaidSharesOptions {
  /** Values of one address that may wait for payment at once. */
  readonly perAddress: number
  /** Milliseconds after which a task has expired by itself. */
  readonly lifeMs: number
  /** Values of all addresses that may wait at once; any number by default. */
  readonly most?: number
  readonly now: () => number
}

export function unpaidShares({
  perAddress,
  lifeMs,
  most = Number.POSITIVE_INFINITY,
  now,
}: UnpaidSharesOptions): UnpaidShares {
  // Insertion order is age, in both maps.
  const clients = new Map<
    string,
    { readonly client: string; readonly values: number; readonly until: number }
  >()
  const tasks = new Map<string, Share>()
  let total = 0

  function remove(taskId: string): void {
    const known = clients.get(taskId)
    if (known === undefined) return
    const { client, values } = known
    clients.delete(taskId)
    total -= values
    const own = tasks.get(client)
    if (own === undefined) return
    own.ids.delete(taskId)
    own.values -= values
    if (own.ids.size === 0) tasks.delete(client)
  }

  function forgetExpired(): void {
    const time = now()
    for (const [taskId, { until }] of clients) {
      if (until > time) return
      remove(taskId)
    }
  }

  function oldestOf(own: Share | undefined): string | undefined {
    const [oldest] = own?.ids ?? []
    if (oldest !== undefined) remove(oldest)
    return oldest
  }

  function evict(): string | undefined {
    let greediest: Share | undefined
    for (const own of tasks.values()) if (own.values > (greediest?.values ?? 0)) greediest = own
    return oldestOf(greediest)
  }

  return {
    remove,
    add(client, taskId, values = 1) {
      forgetExpired()
      clients.set(taskId, { client, values, until: now() + lifeMs })
      const own = tasks.get(client) ?? { ids: new Set(), values: 0 }
      own.ids.add(taskId)
      own.values += values
      total += values
      tasks.set(client, own)
      const ended: string[] = []
      const end = (oldest: string | undefined) => oldest !== undefined && ended.push(oldest)
      while (own.values > perAddress) end(oldestOf(own))
      while (total > most) end(evict())
      return ended
    },
    evict() {
      forgetExpired()
      return evict()
    },
  }
}

/** The unpaid tasks of one address, oldest first. */
interface Share {
  readonly ids: Set<string>
  values: number
}
