/**
 * Which client address made which unpaid task, in memory.
 *
 * Unpaid tasks are limited in number. If the store is full, the oldest task of the address with the most makes room,
 * so that a few addresses cannot keep everyone else from ordering. Each address also has a share of its own.
 */

export interface UnpaidShares {
  /** Notes a task; returns the ids of tasks that must end because the address is over its share. */
  add(client: string, taskId: string): readonly string[]
  /** Forgets a task that was paid for or ended. */
  remove(taskId: string): void
  /** Takes out the oldest task of the address with the most tasks; undefined without tasks. */
  evict(): string | undefined
}

export interface UnpaidSharesOptions {
  /** Tasks of one address that may wait for payment at once. */
  readonly perAddress: number
  /** Milliseconds after which a task has expired by itself. */
  readonly lifeMs: number
  readonly now: () => number
}

/** Builds the shares. */
export function unpaidShares({ perAddress, lifeMs, now }: UnpaidSharesOptions): UnpaidShares {
  // Insertion order is age, in both maps.
  const clients = new Map<string, { readonly client: string; readonly until: number }>()
  const tasks = new Map<string, Set<string>>()

  function remove(taskId: string): void {
    const client = clients.get(taskId)?.client
    if (client === undefined) return
    clients.delete(taskId)
    const own = tasks.get(client)
    own?.delete(taskId)
    if (own?.size === 0) tasks.delete(client)
  }

  function forgetExpired(): void {
    const time = now()
    for (const [taskId, { until }] of clients) {
      if (until > time) return
      remove(taskId)
    }
  }

  function oldestOf(own: ReadonlySet<string> | undefined): string | undefined {
    const [oldest] = own ?? []
    if (oldest !== undefined) remove(oldest)
    return oldest
  }

  return {
    remove,
    add(client, taskId) {
      forgetExpired()
      clients.set(taskId, { client, until: now() + lifeMs })
      const own = tasks.get(client) ?? new Set()
      tasks.set(client, own.add(taskId))
      const ended: string[] = []
      while (own.size > perAddress) {
        const oldest = oldestOf(own)
        if (oldest !== undefined) ended.push(oldest)
      }
      return ended
    },
    evict() {
      forgetExpired()
      let greediest: ReadonlySet<string> | undefined
      for (const own of tasks.values()) if (own.size > (greediest?.size ?? 0)) greediest = own
      return oldestOf(greediest)
    },
  }
}
