import type { Kysely, Transaction } from 'kysely'
import type { Schema } from '../schema.ts'

export interface CommitOptions {
  /** False for writes that a crash of the machine, but not of the process, may lose: no flush to disk. */
  readonly durable?: boolean
}

interface Job {
  readonly durable: boolean
  readonly run: (transaction: Transaction<Schema>) => Promise<unknown>
  readonly resolve: (value: unknown) => void
  readonly reject: (reason: unknown) => void
}

/** Most jobs one commit carries, so that the first of them does not wait for too many others. */
const LARGEST_GROUP = 128

/**
 * Runs writes so that all that are waiting share one transaction and so one flush to disk, if any of them asks for it.
 *
 * A job's promise settles only after the commit that carries it. When a group fails, its jobs are run again one by
 * one, so that a single bad job cannot take its neighbours down.
 */
export class GroupCommit {
  readonly #db: Kysely<Schema>
  readonly #setFlush: (flush: boolean) => void
  #flushes = true
  #waiting: Job[] = []
  #running: Promise<void> | null = null

  /** `setFlush` says whether commits from here on are flushed; at the beginning they are. */
  constructor(db: Kysely<Schema>, setFlush: (flush: boolean) => void) {
    this.#db = db
    this.#setFlush = setFlush
  }

  run<T>(
    run: (transaction: Transaction<Schema>) => Promise<T>,
    { durable = true }: CommitOptions = {},
  ): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ durable, run, resolve: resolve as (value: unknown) => void, reject })
      this.#running ??= this.#drain()
    })
  }

  /** Jobs that no commit carries yet. */
  get waiting(): number {
    return this.#waiting.length
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

  #flushAsAskedBy(group: readonly Job[]): void {
    const flush = group.some(({ durable }) => durable)
    if (flush === this.#flushes) return
    this.#setFlush(flush)
    this.#flushes = flush
  }

  async #commit(group: readonly Job[]): Promise<boolean> {
    try {
      this.#flushAsAskedBy(group)
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
      this.#flushAsAskedBy([job])
      job.resolve(await this.#db.transaction().execute(job.run))
    } catch (error) {
      job.reject(error)
    }
  }
}
