import { createReadStream, statSync } from 'node:fs'
import { UsageError } from '../command-line/usage-error.ts'

/** The bytes of a list. */
export interface ListFile {
  readonly bytes: AsyncIterable<Uint8Array>
  /** Null for standard input. */
  readonly totalBytes: number | null
  /** Ends the reading. */
  close(): void
}

/** Opens a file, or standard input for "-"; throws {@link UsageError} if it cannot be read. */
export function openListFile(path: string): ListFile {
  if (path === '-') {
    return {
      bytes: process.stdin,
      totalBytes: null,
      close: () => process.stdin.destroy(),
    }
  }
  try {
    const { size } = statSync(path)
    const stream = createReadStream(path)
    return {
      bytes: readable(stream),
      totalBytes: size,
      close: () => stream.destroy(),
    }
  } catch {
    throw unreadable()
  }
}

async function* readable(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* stream
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error
    throw unreadable()
  }
}

const unreadable = () => new UsageError('--file names a file that cannot be read')
