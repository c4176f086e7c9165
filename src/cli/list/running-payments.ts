import type { Batch, Stop } from './list-payer.ts'

/** The payments of a run that are in progress, at most so many at once. */
export interface RunningPayments {
  /** False once a payment stopped the run or failed, or the run was interrupted. */
  mayGoOn(): boolean
  /** Begins a payment as soon as there is room for it; `onPaid` is called when the batch has its results. */
  start(batch: Batch, pay: () => Promise<Stop | null>, onPaid: (batch: Batch) => void): Promise<void>
  /** Waits for the next one to end; false if none is in progress. */
  next(): Promise<boolean>
  /** Waits for all of them; rejects with the first unexpected error. */
  finish(): Promise<void>
  /** Why the first of them stopped the run; null if none did. */
  stopReason(): Stop | null
}

export function createRunningPayments(concurrency: number, signal: AbortSignal): RunningPayments {
  const running = new Set<Promise<void>>()
  let stopped: Stop | null = null
  let failure: { readonly error: unknown } | null = null
  const mayGoOn = () => stopped === null && failure === null && !signal.aborted

  return {
    mayGoOn,
    stopReason: () => stopped,
    async start(batch, pay, onPaid) {
      while (running.size >= concurrency) await Promise.race(running)
      if (!mayGoOn()) return
      const task = pay()
        .then(
          (reason) => {
            stopped ??= reason
            if (reason === null) onPaid(batch)
          },
          (error: unknown) => {
            failure ??= { error }
          },
        )
        .finally(() => running.delete(task))
      running.add(task)
    },
    async next() {
      if (running.size === 0) return false
      await Promise.race(running)
      return true
    },
    async finish() {
      await Promise.all(running)
      if (failure !== null) throw failure.error
    },
  }
}
