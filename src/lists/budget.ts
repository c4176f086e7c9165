import { KeptList, KeptMap } from './kept.ts'
import { ListFault } from './list-fault.ts'

interface Limit {
  readonly free: number
  readonly perByte: number
  readonly most?: number
  readonly words: string
}

const MB = 1024 * 1024
const UNPACKS = 'unpacks to more than is read'

const LIMITS = {
  /** Bytes in memory at once. */
  held: { free: 256 * MB, perByte: 0, words: 'is larger than 256 MB' },
  /** Bytes that stay in memory while the file is read, beside its own: the same for a file of any size. */
  kept: { free: 128 * MB, perByte: 0, words: 'needs more memory than a list should' },
  /** Bytes out of a compression. Workbooks of programs unpack to 5 to 40 times their size; an .ods is unpacked twice. */
  unpacked: {
    free: 16 * MB,
    perByte: 80,
    most: 1024 * MB,
    words: UNPACKS,
  },
  /** Tags and texts of XML. Cells of programs are one to five of them, and take as many bytes packed; a sheet is scanned twice. */
  tokens: {
    free: 2_000_000,
    perByte: 12,
    words: UNPACKS,
  },
  /** A row counts as sixteen cells more, for what is done with it. */
  cells: { free: 1_000_000, perByte: 6, words: 'has more cells than a file of its size should' },
  /** Characters of cells. A text that many cells share counts for each. */
  characters: {
    free: 32 * MB,
    perByte: 64,
    words: 'has more text than a file of its size should',
  },
  /** Milliseconds of work: the last net, of which no honest input takes a tenth. */
  ms: { free: 10_000, perByte: 0.01, words: 'takes longer to read than a file of its size should' },
} as const satisfies Record<string, Limit>

export type Unit = keyof typeof LIMITS

/** Characters in a cell, and cells in a row, of the largest spreadsheets. */
export const LONGEST_CELL = 32_767
export const MOST_COLUMNS = 16_384
/** Characters of a row, as in a CSV. */
const LONGEST_ROW = 1024 * 1024
/** Bytes of a text, beside its characters. */
const TEXT_COST = 24
/** V8 makes no slice of a shorter text. */
const SHORTEST_SLICE = 13
/** Levels of JSON. */
const DEEPEST = 128
/**
 * JSON of many small parts takes thirty times its size in memory. A statement of a million values has some three
 * million.
 */
const MOST_PARTS = 8_000_000
const ROW_COST = 16
/** Milliseconds of work before others get a turn. */
const MOST_WORK = 12

export interface BudgetOptions {
  /** What is read, for the words of a fault. */
  readonly what?: string
  /** Null without advice. */
  readonly advice?: string | null
  /** Milliseconds. Without it no time is counted, as while a reader waits for what is done with its rows. */
  readonly now?: (() => number) | undefined
}

/**
 * However small the input is. All readers of a file share one budget, which throws {@link ListFault} when it is spent.
 */
export class Budget {
  readonly spent: Record<Unit, number> = {
    held: 0,
    kept: 0,
    unpacked: 0,
    tokens: 0,
    cells: 0,
    characters: 0,
    ms: 0,
  }
  readonly #what: string
  readonly #advice: string
  readonly #now: (() => number) | undefined
  #read = 0
  #checkedAt: number | undefined
  #turnAt = performance.now()

  constructor({ what = 'list', advice = 'save it as "CSV UTF-8"', now }: BudgetOptions = {}) {
    this.#what = what
    this.#advice = advice === null ? '' : `; ${advice}`
    this.#now = now
  }

  /** Counts bytes of the input; a larger input has larger limits. */
  read(bytes: number): void {
    this.#read += bytes
  }

  take(unit: Unit, amount: number): void {
    this.spent[unit] += amount
    if (this.left(unit) < 0) throw this.#fault(LIMITS[unit].words + (unit === 'ms' ? '' : this.#advice))
  }

  left(unit: Unit): number {
    const { free, perByte, most = Number.POSITIVE_INFINITY }: Limit = LIMITS[unit]
    return Math.min(most, free + perByte * this.#read) - this.spent[unit]
  }

  /**
   * Counts a text that stays in memory, and returns it. A longer one is copied: a slice would keep the whole piece that it was
   * cut from.
   */
  keep(text: string): string {
    const bytes = /[^\0-\xff]/.test(text) ? 2 : 1
    this.take('kept', TEXT_COST + bytes * text.length)
    return text.length < SHORTEST_SLICE ? text : (JSON.parse(JSON.stringify(text)) as string)
  }

  /** What a value holds must be counted by `keep`. */
  map<Value>(): Map<string, Value> {
    return new KeptMap(this)
  }

  /** Items are added by `push` alone. */
  list<Item>(): Item[] {
    return new KeptList(this)
  }

  /** Throws {@link ListFault} if they are too many. */
  rowOf(characters: number): number {
    if (characters > LONGEST_ROW) throw this.#fault('has a row of more than a million characters')
    return characters
  }

  /** Throws {@link ListFault} if it is too long. */
  cell(text: string): string {
    if (text.length > LONGEST_CELL)
      throw this.#fault('has a cell of more than 32,767 characters, the most that spreadsheets keep')
    return text
  }

  row<Cells extends readonly string[]>(cells: Cells): Cells {
    if (cells.length > MOST_COLUMNS) throw this.#fault('has a row of more than 16,384 cells')
    this.take('cells', cells.length + ROW_COST)
    let characters = 0
    for (const each of cells) characters += this.cell(each).length
    this.take('characters', characters)
    return cells
  }

  /** Parses JSON; throws `SyntaxError` for other text. What walks through the result may then call itself. */
  json(text: string, revive?: Parameters<typeof JSON.parse>[1]): unknown {
    if (text.length > DEEPEST) this.#refuseSprawl(text)
    return JSON.parse(text, revive)
  }

  async turn(): Promise<void> {
    const now = this.#now?.()
    if (now !== undefined) this.take('ms', now - (this.#checkedAt ?? now))
    if (performance.now() - this.#turnAt >= MOST_WORK) {
      await new Promise((resolve) => setTimeout(resolve, 0))
      this.#turnAt = performance.now()
    }
    this.#checkedAt = this.#now?.()
  }

  #refuseSprawl(json: string): void {
    let [depth, parts] = [0, 0]
    for (let at = 0; at < json.length; at += 1) {
      const sign = json[at]
      if (sign === '"') {
        for (at += 1; at < json.length && json[at] !== '"'; at += 1) if (json[at] === '\\') at += 1
        continue
      }
      if (sign === '[' || sign === '{') depth += 1
      else if (sign === ']' || sign === '}') depth -= 1
      else if (sign !== ',') continue
      parts += 1
      if (depth > DEEPEST) throw this.#fault('has JSON of more than 128 levels')
      if (parts > MOST_PARTS) throw this.#fault('has JSON of too many parts')
    }
  }

  #fault(words: string): ListFault {
    return new ListFault(`the ${this.#what} ${words}`)
  }
}
