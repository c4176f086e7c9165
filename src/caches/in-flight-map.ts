/**
 * For entries that come and go with requests. A `Map` copies its entries to a new table now and then, and V8 keeps what
 * an old table held until the next full collection. Here a table refers to cells only, and a deleted entry empties its
 * cell.
 */
export interface InFlightMap<Value> {
  get(name: string): Value | undefined
  set(name: string, value: Value): void
  delete(name: string): void
  /** In the order in which they were set first. */
  values(): Value[]
  /** Not a getter: V8 keeps getters of object literals among old objects. */
  size(): number
}

export function inFlightMap<Value>(): InFlightMap<Value> {
  const cells = new Map<string, { value: Value | undefined }>()
  return {
    get: (name) => cells.get(name)?.value,
    set: (name, value) => {
      const cell = cells.get(name)
      if (cell === undefined) cells.set(name, { value })
      else cell.value = value
    },
    delete: (name) => {
      const cell = cells.get(name)
      if (cell === undefined) return
      cell.value = undefined
      cells.delete(name)
    },
    values: () => Array.from(cells.values(), ({ value }) => value as Value),
    size: () => cells.size,
  }
}
