import { LRUCache } from 'lru-cache'

/**
 * Keeps the `most` entries that were used last. The package's option `max` would allocate memory for all of them at once; a
 * sum of sizes, one for each entry, does not.
 */
export const boundedCache = <Value extends {}>(most: number): LRUCache<string, Value> =>
  new LRUCache<string, Value>({ maxSize: most, sizeCalculation: () => 1 })
