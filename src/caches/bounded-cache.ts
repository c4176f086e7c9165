import { LRUCache } from 'lru-cache'

/** The package's option `max` would allocate memory for all entries at once; a sum of sizes, one each, does not. */
export const boundedCache = <Value extends {}>(most: number): LRUCache<string, Value> =>
  new LRUCache<string, Value>({ maxSize: most, sizeCalculation: () => 1 })
