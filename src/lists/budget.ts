import { ListFault } from './list-fault.ts'

interface Limit {
  /** What any input may take, however small it is. */
  readonly free: number
  /** What each byte read adds: an honest input that takes more is larger. */
  readonly perByte: number
  readonly most?: number
  readonly words: string
}

const MB = 1024 * 1024
const AS_CSV = 'save it as "CSV UTF-8"'
const UNPACKS = `unpacks to more than is read; ${AS_CSV}`

const LIMITS = {
  /** Bytes in memory at once. */
  held: { free: 256 * MB, perByte: 0, words: `is larger than 256 MB; ${AS_CSV}` },
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
  cells: { free: 1_000_000, perByte: 6, words: `has more cells than a file of its size should; ${AS_CSV}` },
  /** Characters of cells. A text that many cells share counts for each. */
  characters: {
    free: 32 * MB,
    perByte: 64,
    words: `has more text than a file of its size should; ${AS_CSV}`,
  },
  /** Milliseconds of work: the last net, of which no honest input takes a tenth. */
  ms: { free: 10_000, perByte: 0.01, words: 'takes longer to read than a file of its size should' },
} as const satisfies Record<string, Limit>

export type Unit = keyof typeof LIMITS

/** Characters in a cell, and cells in a row, of the largest spreadsheets. */
export const LONGEST_CELL = 32_767
export const MOST_COLUMNS = 16_384
/** Levels of JSON. */
const DEEPEST = 128
const ROW_COST = 16
/** Milliseconds of work before others get a turn. */
const MOST_WORK = 12

export interface BudgetOptions {
  /** What is read, for the words of a fault. */
  readonly what?: string
  /** Milliseconds. Without it no time is counted, as while a reader waits for what is done with its rows. */
  readonly now?: (() => number) | undefined
}

/**
 * Bounds what is made of one input, not only what is read of it. Every reader of a file draws from one; it throws
 * {@link ListFault} once it is spent.
 */
export class Budget {
  readonly spent: Record<Unit, number> = { held: 0, unpacked: 0, tokens: 0, cells: 0, characters: 0, ms: 0 }
  readonly #what: string
  readonly #now: (() => number) | undefined
  #read = 0
  #checkedAt: number | undefined
  #turnAt = performance.now()

  constructor({ what = 'list', now }: BudgetOptions = {}) {
    this.#what = what
    this.#now = now
  }

  /** Bytes of the input itself: each lets more be made of it. */
  read(bytes: number): void {
    this.#read += bytes
  }

  take(unit: Unit, amount: number): void {
    this.spent[unit] += amount
    const { free, perByte, most = Number.POSITIVE_INFINITY, words }: Limit = LIMITS[unit]
    if (this.spent[unit] > Math.min(most, free + perByte * this.#read)) throw this.#fault(words)
  }

  /** A text that is, or becomes, one cell; returned to be kept. */
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
  json(text: string): unknown {
    if (text.length > DEEPEST && depthOf(text) > DEEPEST)
      throw this.#fault('has JSON of more than 128 levels')
    return JSON.parse(text)
  }

  /** Gives others a turn if it is due. */
  async turn(): Promise<void> {
    const now = this.#now?.()
    if (now !== undefined) this.take('ms', now - (this.#checkedAt ?? now))
    if (performance.now() - this.#turnAt >= MOST_WORK) {
      await new Promise((resolve) => setTimeout(resolve, 0))
      this.#turnAt = performance.now()
    }
    this.#checkedAt = this.#now?.()
  }

  #fault(words: string): ListFault {
    return new ListFault(`the ${this.#what} ${words}`)
  }
}

/** Levels of brackets outside of strings. */
function depthOf(json: string): number {
  let [depth, deepest] = [0, 0]
  for (let at = 0; at < json.length; at += 1) {
    const sign = json[at]
    if (sign === '[' || sign === '{') {
      depth += 1
      deepest = Math.max(deepest, depth)
    } else if (sign === ']' || sign === '}') depth -= 1
    else if (sign === '"') {
      for (at += 1; at < json.length && json[at] !== '"'; at += 1) if (json[at] === '\\') at += 1
    }
  }
  return deepest
}
