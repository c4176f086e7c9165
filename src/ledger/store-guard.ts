import { StoreUnavailable } from './ledger.ts'

/** Runs a ledger method of an adapter; whatever it throws becomes {@link StoreUnavailable}, with the fault as its cause. */
export type Guard = <T>(run: () => Promise<T>) => Promise<T>

/** The guard of one store; `message` says which one did not answer. */
export const guardWith =
  (message: string): Guard =>
  async (run) => {
    try {
      return await run()
    } catch (error) {
      throw new StoreUnavailable(message, { cause: error })
    }
  }
