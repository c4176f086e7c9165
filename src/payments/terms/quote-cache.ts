import type { QuoteBook } from './quotes.ts'

/** Quotes that are recomputed now and then, because the offers signed in them expire. */
export interface QuoteCache {
  readonly quotes: QuoteBook
  /** Recomputes all of them; until that is done the ones before are used. */
  renew(): Promise<void>
}

/** Computes the quotes a first time. A quote never changes; a later call gets the next one. */
export async function quoteCache(compute: () => Promise<QuoteBook>): Promise<QuoteCache> {
  let current = await compute()
  return {
    quotes: Object.assign((...call: Parameters<QuoteBook>) => current(...call), {
      of: (...call: Parameters<QuoteBook['of']>) => current.of(...call),
    }),
    async renew() {
      current = await compute()
    },
  }
}
