/** Bytes of an entry of a map and of an item of a list, beside their contents. */
const ENTRY_COST = 64
const ITEM_COST = 16

interface Keeper {
  take(unit: 'kept', bytes: number): void
  keep(text: string): string
}

export class KeptMap<Value> extends Map<string, Value> {
  readonly #keeper: Keeper
  constructor(keeper: Keeper) {
    super()
    this.#keeper = keeper
  }

  override set(key: string, value: Value): this {
    if (this.has(key)) return super.set(key, value)
    this.#keeper.take('kept', ENTRY_COST)
    return super.set(this.#keeper.keep(key), value)
  }
}

export class KeptList<Item> extends Array<Item> {
  // What `map` and the like make of it is an ordinary list.
  static override get [Symbol.species](): ArrayConstructor {
    return Array
  }
  readonly #keeper: Keeper
  constructor(keeper: Keeper) {
    super()
    this.#keeper = keeper
  }

  override push(...items: Item[]): number {
    this.#keeper.take('kept', ITEM_COST * items.length)
    return super.push(...items)
  }
}
