import type { Kysely, Transaction } from 'kysely'
import type { Schema } from './schema.ts'

interface Job {
  readonly run: (transaction: Transaction<Schema>) => Promise<unknown>
  readonly resolve: (value: unknown) => void
  readonly reject: (reason: unknown) => void
}

/** Most jobs one commit carries, so that the first of them does not wait for too many others. */
const LARGEST_GROUP = 128

/**
 * Runs writes so that all that are waiting share one transaction and so one flush to disk.
 *
 * A job's promise settles only after the commit that carries it. When a group fails, its jobs are run again one by
 * one, so that a single bad job cannot take its neighbours down.
 */
export class GroupCommit {
  readonly #db: Kysely<Schema>
  #waiting: Job[] = []
  #running: Promise<void> | null = null

  constructor(db: Kysely<Schema>) {
    this.#db = db
  }

  run<T>(run: (transaction: Transaction<Schema>) => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ run, resolve: resolve as (value: unknown) => void, reject })
      this.#running ??= this.#drain()
    })
  }

  /** Resolves when nothing is waiting or running any more. */
  async idle(): Promise<void> {
    while (this.#running !== null) await this.#running
  }

  async #drain(): Promise<void> {
    // One turn of the event loop lets the requests that arrived together join the same group.
    await new Promise((resolve) => setImmediate(resolve))
    while (this.#waiting.length > 0) {
      const group = this.#waiting.splice(0, LARGEST_GROUP)
      if (!(await this.#commit(group))) for (const job of group) await this.#commitAlone(job)
    }
    this.#running = null
  }

  async #commit(group: readonly Job[]): Promise<boolean> {
    try {
      const results = await this.#db.transaction().execute(async (transaction) => {
        const values: unknown[] = []
        for (const job of group) values.push(await job.run(transaction))
        return values
      })
      group.forEach((job, index) => {
        job.resolve(results[index])
      })
      return true
    } catch {
      return false
    }
  }

  async #commitAlone(job: Job): Promise<void> {
    try {
      job.resolve(await this.#db.transaction().execute(job.run))
    } catch (error) {
      job.reject(error)
    }
  }
}
