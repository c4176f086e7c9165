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
  /** Values of all addresses that may wait at once. */
  readonly most: number
  readonly now: () => number
}

export function unpaidShares({ perAddress, lifeMs, most, now }: UnpaidSharesOptions): UnpaidShares {
  // Insertion order is age.
  const tasks = new Map<string, Task>()
  const held = new Map<string, number>()
  let total = 0

  function remove(taskId: string): void {
    const { client, values } = tasks.get(taskId) ?? { client: '', values: 0 }
    if (!tasks.delete(taskId)) return
    total -= values
    const left = (held.get(client) ?? 0) - values
    if (left > 0) held.set(client, left)
    else held.delete(client)
  }

  function forgetExpired(): void {
    const time = now()
    for (const [taskId, { until }] of tasks) {
      if (until > time) return
      remove(taskId)
    }
  }

  function endOldestOf(client: string | undefined): string | undefined {
    for (const [taskId, task] of tasks) {
      if (task.client !== client) continue
      remove(taskId)
      return taskId
    }
    return undefined
  }

  const endOfGreediest = () =>
    endOldestOf([...held].reduce((one, other) => (other[1] > one[1] ? other : one), ['', 0])[0])

  return {
    remove,
    add(client, taskId, values = 1) {
      forgetExpired()
      tasks.set(taskId, { client, values, until: now() + lifeMs })
      held.set(client, (held.get(client) ?? 0) + values)
      total += values
      const ended: (string | undefined)[] = []
      while ((held.get(client) ?? 0) > perAddress) ended.push(endOldestOf(client))
      while (total > most) ended.push(endOfGreediest())
      return ended.filter((taskId) => taskId !== undefined)
    },
    evict() {
      forgetExpired()
      return endOfGreediest()
    },
  }
}

interface Task {
  readonly client: string
  readonly values: number
  readonly until: number
}
