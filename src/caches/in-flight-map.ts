/**
 * A map whose entries come and go with the requests.
 *
 * A `Map` now and then copies its entries to a new table, and its former table still refers to what it held. Once the map is
 * among V8's old objects, values in such a table stay in memory until the next full collection, and bring it nearer. Here a
 * table refers to cells only, and a cell is emptied when its entry is deleted.
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
