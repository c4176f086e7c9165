import { StoreUnavailable } from './ledger.ts'
import { IllegalTransition } from './transitions.ts'

/** Runs a method of an adapter; everything it throws but a defect becomes {@link StoreUnavailable}, with its cause. */
export type Guard = <T>(run: () => Promise<T>) => Promise<T>

/** The guard of one store; `message` names it. */
export const guardWith =
  (message: string): Guard =>
  async (run) => {
    try {
      return await run()
    } catch (error) {
      if (error instanceof IllegalTransition) throw error
      throw new StoreUnavailable(message, { cause: error })
    }
  }
