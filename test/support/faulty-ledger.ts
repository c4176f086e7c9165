import type { Ledger } from '../../src/ledger/ledger.ts'
import { StoreUnavailable } from '../../src/ledger/store/store-unavailable.ts'

type Method = keyof Ledger

/** A fault of the store: before the statement runs, or after the write and before its reply. */
export interface StoreFault {
  /** `move` hits moves without a flush, too. */
  readonly method: Method
  readonly when: 'before' | 'after'
  /** Which calls it hits, by their arguments; all of them without it. */
  readonly hits?: (...args: readonly never[]) => boolean
  /** What the call rejects with; StoreUnavailable without it. */
  readonly error?: Error
}

export interface FaultyLedger {
  readonly ledger: Ledger
  /** Faults in force; empty them to repair the store. */
  readonly faults: StoreFault[]
  /** Every call that reached the store, by method. */
  readonly calls: Method[]
}

/** A ledger that fails on request as an adapter fails: with StoreUnavailable. */
export function faultyLedger(real: Ledger): FaultyLedger {
  const faults: StoreFault[] = []
  const calls: Method[] = []
  const ledger = new Proxy(real, {
    get(target, name: Method) {
      if (typeof target[name] !== 'function') return target[name]
      const run = target[name] as (...args: unknown[]) => Promise<unknown>
      return async (...args: unknown[]) => {
        const fault = faults.find(
          ({ method, hits }) =>
            (method === name || (method === 'move' && name === 'moveUnflushed')) &&
            (hits?.(...(args as never[])) ?? true),
        )
        const error = fault?.error ?? new StoreUnavailable('injected fault')
        if (fault?.when === 'before') throw error
        calls.push(name)
        const result = await run.apply(target, args)
        if (fault !== undefined) throw error
        return result
      }
    },
  })
  return { ledger, faults, calls }
}
