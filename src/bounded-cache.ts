import { LRUCache } from 'lru-cache'

/**
 * Keeps at most `most` entries: those that were used last.
 *
 * With the package's `max` the room for all of them would be set aside at once; with a size of one for each it grows as
 * they come.
 */
export const boundedCache = <Value extends {}>(most: number): LRUCache<string, Value> =>
  new LRUCache<string, Value>({ maxSize: most, sizeCalculation: () => 1 })
