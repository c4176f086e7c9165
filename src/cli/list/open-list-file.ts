import { createReadStream, statSync } from 'node:fs'
import type { CheckType } from '../../checks/verdict.ts'
import type { InputRow, ListInput, ReadListOptions } from '../../lists/input-row.ts'
import { ListFault } from '../../lists/list-fault.ts'
import { readList } from '../../lists/read-list.ts'
import { headingsOf } from '../../skills/column-headings.ts'
import { UsageError } from '../command-line/usage-error.ts'
import { skillOf } from '../skills.ts'

export interface OpenList extends ListInput {
  close(): void
}

/** Whether a list can be read twice: a pipe cannot. */
export const isFile = (path: string): boolean =>
  path !== '-' && (statSync(path, { throwIfNoEntry: false })?.isFile() ?? false)

/** Opens a file, or standard input for "-"; throws {@link UsageError}, also while rows are read, if it is no list. */
export async function openList(
  path: string,
  type: CheckType,
  options: Omit<ReadListOptions, 'check'>,
): Promise<OpenList> {
  const stream = path === '-' ? process.stdin : createReadStream(path)
  async function* bytes(): AsyncGenerator<Uint8Array> {
    try {
      yield* stream as AsyncIterable<Uint8Array>
    } catch (error) {
      if ((error as NodeJS.ErrnoException).syscall === undefined) throw error
      throw new UsageError('--file names a file that cannot be read')
    }
  }
  const list = await readList(bytes(), {
    ...options,
    check: { id: type, headings: headingsOf(skillOf(type)) },
  }).catch(asUsageError)
  return {
    ...list,
    rows: withUsageErrors(list.rows),
    close: () => void stream.destroy(),
  }
}

async function* withUsageErrors(rows: AsyncIterable<InputRow>): AsyncGenerator<InputRow> {
  try {
    yield* rows
  } catch (error) {
    asUsageError(error)
  }
}

function asUsageError(error: unknown): never {
  throw error instanceof ListFault ? new UsageError(error.message, { cause: error }) : error
}
