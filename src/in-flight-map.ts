/**
 * What is in flight, by name: a map whose entries come and go with the requests.
 *
 * A `Map` copies its entries to a new table now and then, and the former table still names what it held. Once the map is
 * old, V8's collections of new objects take that for alive: what requests held in it would stay until the next full
 * collection, and bring it nearer. Here the table names a cell, which is emptied when its entry is deleted.
 */
export interface InFlightMap<Value> {
  get(name: string): Value | undefined
  set(name: string, value: Value): void
  delete(name: string): void
  /** In the order in which their names came. */
  values(): Value[]
  /** A method: V8 keeps getters of object literals among old objects, too. */
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
