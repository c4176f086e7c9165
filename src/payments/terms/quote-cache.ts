import type { QuoteBook } from './quotes.ts'

/** Quotes that are computed anew now and then, because the offers signed in them end. */
export interface QuoteCache {
  readonly quotes: QuoteBook
  /** Computes all of them anew; until that is done the ones before stand. */
  renew(): Promise<void>
}

/** Computes the quotes a first time. A quote somebody holds never changes; who asks later gets the next one. */
export async function quoteCache(compute: () => Promise<QuoteBook>): Promise<QuoteCache> {
  let current = await compute()
  return {
    quotes: (skill, surface) => current(skill, surface),
    async renew() {
      current = await compute()
    },
  }
}
