import type { Sql } from '../store/sql.ts'

export interface CommitOptions {
  /** False: not flushed to disk, so a crash of the machine, but not of the process, may lose it. True by default. */
  readonly durable?: boolean
  /** True: no caller waits, so it joins the next commit, or runs alone after a moment. */
  readonly patient?: boolean
}

export interface WriteConnection {
  readonly db: Sql
  /** Begins a transaction whose commit, if durable, flushes it and every commit before it to disk. */
  begin(isDurable: boolean): void
  commit(): void
  rollback(): void
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
 * Runs all waiting writes in one transaction, with one flush if any is durable. If a group fails, its writes run again
 * one by one, so that a refused one does not fail the others.
 */
export class GroupCommit {
  readonly #connection: WriteConnection
  readonly #patience: Patience
  #waiting: Job[] = []
  #running: Promise<void> | null = null
  #transaction: Promise<void> | null = null
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

  /** Commits what is waiting; resolves when nothing is waiting or running. */
  async idle(): Promise<void> {
    this.hurry()
    while (this.#running !== null) await this.#running
  }

  hurry(): void {
    this.#lasting?.end()
    this.#lasting = undefined
    this.#running ??= this.#drain()
  }

  async #drain(): Promise<void> {
    // One turn of the event loop lets the requests that arrived together join the same group.
    await new Promise((resolve) => setImmediate(resolve))
    while (this.#waiting.length > 0) await this.#commit(this.#waiting.splice(0, LARGEST_GROUP))
    this.#running = null
  }

  async #commit(group: readonly Job[]): Promise<void> {
    try {
      const results = await this.#transact(group)
      for (const [index, job] of group.entries()) job.resolve(results[index])
    } catch (error) {
      if (group.length === 1) group[0]?.reject(error)
      else for (const job of group) await this.#commit([job])
    }
  }

  async #transact(group: readonly Job[]): Promise<readonly unknown[]> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const { db } = this.#connection
    this.#transaction = promise
    try {
      this.#connection.begin(group.some(({ durable }) => durable))
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
}
