import { createHash } from 'node:crypto'
import { createReadStream, statSync } from 'node:fs'
import type { CheckType } from 'format-checker-checks/verdict'
import { listCheckOf } from '../../../../src/catalog/column-headings.ts'
import { printable } from '../../../../src/command-line/terminal-text.ts'
import { UsageError } from '../../../../src/command-line/usage-error.ts'
import { Budget } from '../../../../src/lists/budget.ts'
import { LateEncoding } from '../../../../src/lists/decode-text.ts'
import type { InputRow, ListInput, ReadListOptions } from '../../../../src/lists/input-row.ts'
import { ListFault } from '../../../../src/lists/list-fault.ts'
import { readList } from '../../../../src/lists/read-list.ts'
import { skillOf } from '../skills.ts'

/** A column to check; the one that its heading and cells say if it has no name. */
export interface ListColumn {
  readonly type: CheckType
  /** Name, or number from 1. */
  readonly column?: string | undefined
}

/** The type of all columns; undefined if they differ. */
export const onlyType = ([first, ...others]: readonly ListColumn[]): CheckType | undefined =>
  others.every(({ type }) => type === first?.type) ? first?.type : undefined

export interface ListFileOptions extends Omit<ReadListOptions, 'check' | 'column' | 'others'> {
  readonly columns: readonly [ListColumn, ...ListColumn[]]
  /** Members of JSON Lines that an earlier reading found too late for its header. */
  readonly late?: ReadonlySet<string> | undefined
}

export interface OpenList extends ListInput {
  /** Of the whole file, in hex; null until it was read to its end. */
  sha256(): string | null
  close(): void
}

/** For a list that is read at once, without a wait for what its rows are used for. */
export const timedBudget = () => new Budget({ now: () => performance.now() })

/** Whether a list can be read twice: a pipe cannot. */
export const isFile = (path: string): boolean =>
  path !== '-' && (statSync(path, { throwIfNoEntry: false })?.isFile() ?? false)

/** Opens a file, or standard input for "-"; throws {@link UsageError}, also while rows are read, if it is no list. */
export async function openList(path: string, options: ListFileOptions): Promise<OpenList> {
  const stream = path === '-' ? process.stdin : createReadStream(path)
  const hash = createHash('sha256')
  let sha256: string | null = null
  const size = isFile(path) ? statSync(path).size : undefined
  async function* bytes(): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of stream as AsyncIterable<Uint8Array>) {
        hash.update(chunk)
        yield chunk
      }
      sha256 = hash.digest('hex')
    } catch (error) {
      const { syscall, code } = error as NodeJS.ErrnoException
      throw syscall === undefined ? error : new UsageError(`the list cannot be read (${code})`)
    }
  }
  const [first, ...others] = options.columns
  const wanted = { ...wantedOf(first), ...(others.length > 0 && { others: others.map(wantedOf) }) }
  const list = await readList(bytes(), { ...options, ...wanted, size }).catch((error) =>
    nameFile(path, error),
  )
  return {
    ...list,
    header: [...list.header, ...(options.late ?? [])],
    rows: withUsageErrors(path, list.rows),
    sha256: () => sha256,
    close: () => void stream.destroy(),
  }
}

/** Reads a file, and once more as one in an old encoding if its first letter outside ASCII comes late. */
export async function withOldEncoding<T>(
  path: string,
  options: ListFileOptions,
  read: (options: ListFileOptions) => Promise<T>,
): Promise<T> {
  try {
    return await read(options)
  } catch (error) {
    const isLate = error instanceof Error && error.cause instanceof LateEncoding
    if (!isLate || !isFile(path)) throw error
    return read({ ...options, isOld: true })
  }
}

const wantedOf = ({ type, column }: ListColumn) => ({ check: listCheckOf(skillOf(type)), column })

async function* withUsageErrors(path: string, rows: AsyncIterable<InputRow>): AsyncGenerator<InputRow> {
  try {
    yield* rows
  } catch (error) {
    nameFile(path, error)
  }
}

/** Rethrows what is wrong with a list as wrong usage that names the file, and anything else as it is. */
function nameFile(path: string, error: unknown): never {
  if (!(error instanceof ListFault || error instanceof UsageError)) throw error
  const cause = error instanceof ListFault ? error : error.cause
  throw new UsageError(`${path === '-' ? 'standard input' : printable(path)}: ${error.message}`, { cause })
}
