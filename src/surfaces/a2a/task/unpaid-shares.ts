/**
 * Each value of an unpaid task takes room in the store. If all addresses together exceed their limit, the oldest task
 * of the address with the most values ends, so that a few cannot keep all others from ordering.
 */

export interface UnpaidShares {
  /** Returns the ids of the tasks that must end for it. */
  add(client: string, taskId: string, values: number): readonly string[]
  remove(taskId: string): void
  /** Undefined if there is no task. */
  evict(): string | undefined
}

export interface UnpaidSharesOptions {
  readonly perAddress: number
  /** Milliseconds after which a task expires by itself. */
  readonly lifeMs: number
  readonly most: number
  /** Milliseconds. */
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
    add(client, taskId, values) {
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
