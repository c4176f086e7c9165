import type { Sql } from '../store/sql.ts'

export interface CommitOptions {
  /** False: not flushed to disk, so a crash of the machine, but not of the process, may lose it. True by default. */
  readonly durable?: boolean
  /** True: no caller waits, so it joins the next commit, or runs alone after a moment. */
  readonly patient?: boolean
}

export interface WriteConnection {
  readonly db: Sql
  begin(): void
  commit(): void
  /** Does nothing if no transaction is open. */
  rollback(): void
  /**
   * Puts every commit so far on disk. Undefined if that is done on return, a promise if another thread does it. Throws
   * or rejects if the disk fails.
   */
  flush(): Promise<void> | undefined
}

interface Job {
  readonly durable: boolean
  readonly run: (db: Sql) => Promise<unknown>
  readonly resolve: (value: unknown) => void
  readonly reject: (reason: unknown) => void
}

/** The most jobs of one commit; bounds how long the first of them waits for the others. */
const LARGEST_GROUP = 128
/** Calls `hurry` once patient writes have waited long enough, unless `end` is called first. */
export type Patience = (hurry: () => void) => { readonly end: () => void }

const PATIENCE_MS = 5
const SOME_MILLISECONDS: Patience = (hurry) => {
  const timer = setTimeout(hurry, PATIENCE_MS)
  return { end: () => clearTimeout(timer) }
}

/**
 * Runs all waiting writes in one transaction, with one flush to disk if any of them is durable.
 *
 * A write's promise settles after its commit, and after the flush if it is durable. If a group fails, its writes run
 * again one by one, so that one that is refused does not fail the others. If a flush fails, the durable writes are rejected
 * although readers may see them.
 */
export class GroupCommit {
  readonly #connection: WriteConnection
  readonly #patience: Patience
  #waiting: Job[] = []
  #running: Promise<void> | null = null
  #transaction: Promise<void> | null = null
  #flushing: Promise<void> | null = null
  #lasting: ReturnType<Patience> | undefined

  constructor(connection: WriteConnection, patience = SOME_MILLISECONDS) {
    this.#connection = connection
    this.#patience = patience
  }

  run<T>(run: (db: Sql) => Promise<T>, { durable = true, patient = false }: CommitOptions = {}): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ durable, run, resolve: resolve as (value: unknown) => void, reject })
      if (!patient) this.hurry()
      else if (this.#running === null) this.#lasting ??= this.#patience(() => this.hurry())
    })
  }

  get waiting(): number {
    return this.#waiting.length
  }

  /** Resolves when the open transaction ends; null between transactions. */
  get transaction(): Promise<void> | null {
    return this.#transaction
  }

  /** Commits what is waiting; resolves when nothing is waiting, running or being flushed. */
  async idle(): Promise<void> {
    this.hurry()
    while (this.#running !== null || this.#flushing !== null) await (this.#running ?? this.#flushing)
  }

  hurry(): void {
    this.#lasting?.end()
    this.#lasting = undefined
    this.#running ??= this.#drain()
  }

  async #drain(): Promise<void> {
    // One turn of the event loop lets the requests that arrived together join the same group.
    await new Promise((resolve) => setImmediate(resolve))
    while (this.#waiting.length > 0) {
      const group = this.#nextGroup()
      if (group.length === 0) await this.#flushing
      else await this.#commit(group)
    }
    this.#running = null
  }

  /** During a flush durable jobs wait, since they need the next flush; the others are committed meanwhile. */
  #nextGroup(): readonly Job[] {
    if (this.#flushing === null) return this.#waiting.splice(0, LARGEST_GROUP)
    const group = this.#waiting.filter(({ durable }) => !durable).slice(0, LARGEST_GROUP)
    this.#waiting = this.#waiting.filter((job) => !group.includes(job))
    return group
  }

  async #commit(group: readonly Job[]): Promise<void> {
    let results: readonly unknown[]
    try {
      results = await this.#transact(group)
    } catch (error) {
      if (group.length === 1) group[0]?.reject(error)
      else
        for (const job of group) {
          if (job.durable) await this.#flushing
          await this.#commit([job])
        }
      return
    }
    this.#settle(group, results)
  }

  async #transact(group: readonly Job[]): Promise<readonly unknown[]> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const { db } = this.#connection
    this.#transaction = promise
    try {
      this.#connection.begin()
      const values: unknown[] = []
      for (const job of group) values.push(await job.run(db))
      this.#connection.commit()
      return values
    } catch (error) {
      this.#connection.rollback()
      throw error
    } finally {
      this.#transaction = null
      resolve()
    }
  }

  #settle(group: readonly Job[], results: readonly unknown[]): void {
    const flush = group.some((job) => job.durable) ? this.#flush() : undefined
    group.forEach((job, index) => {
      const resolve = () => job.resolve(results[index])
      if (flush === undefined || !job.durable) resolve()
      else flush.then(resolve, job.reject)
    })
  }

  #flush(): Promise<void> | undefined {
    let flush: Promise<void> | undefined
    try {
      flush = this.#connection.flush()
    } catch (error) {
      return Promise.reject(error)
    }
    if (flush === undefined) return undefined
    const ended = () => {
      this.#flushing = null
    }
    this.#flushing = flush.then(ended, ended)
    return flush
  }
}
