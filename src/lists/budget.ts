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
const UNPACKS = 'unpacks to more than is read'

const LIMITS = {
  /** Bytes in memory at once. */
  held: { free: 256 * MB, perByte: 0, words: 'is larger than 256 MB' },
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
/** Levels of JSON. */
const DEEPEST = 128
/**
 * Brackets and commas of one text: JSON of many small parts takes thirty times its size in memory. A statement of a million
 * values has some three million.
 */
const MOST_PARTS = 8_000_000
const ROW_COST = 16
/** Milliseconds of work before others get a turn. */
const MOST_WORK = 12

export interface BudgetOptions {
  /** What is read, for the words of a fault. */
  readonly what?: string
  /** What to do about a file that is too large; null without advice. */
  readonly advice?: string | null
  /** Milliseconds. Without it no time is counted, as while a reader waits for what is done with its rows. */
  readonly now?: (() => number) | undefined
}

/**
 * Limits memory, cells and time that one input may cost, however small the input is. All readers of a file share one budget,
 * which throws {@link ListFault} when it is spent.
 */
export class Budget {
  readonly spent: Record<Unit, number> = { held: 0, unpacked: 0, tokens: 0, cells: 0, characters: 0, ms: 0 }
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

  /** Returns the text of one cell. Throws {@link ListFault} if it is too long. */
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

  /** Counts the levels and parts of JSON, outside of its strings. */
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
