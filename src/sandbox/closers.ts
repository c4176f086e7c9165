export type Close = () => Promise<void> | void

/** How everything opened so far is closed; `AsyncDisposableStack` replaces it from Node 24 on. */
export interface Closers {
  add(close: Close): void
  /** Closes everything, the last first. A failure does not keep the rest open; the first one is thrown at the end. */
  close(): Promise<void>
}

/** If `open` throws, what it had opened is closed. */
export async function openAll<Opened>(open: (closers: Closers) => Promise<Opened>): Promise<Opened> {
  const closers = createClosers()
  try {
    return await open(closers)
  } catch (error) {
    await closers.close().catch(() => {})
    throw error
  }
}

function createClosers(): Closers {
  const stack: Close[] = []
  return {
    add: (close) => void stack.push(close),
    close: async () => {
      const failures: unknown[] = []
      for (let close = stack.pop(); close !== undefined; close = stack.pop()) {
        try {
          await close()
        } catch (error) {
          failures.push(error)
        }
      }
      if (failures.length > 0) throw failures[0]
    },
  }
}
