import { once } from 'node:events'
import { closeSync, existsSync, fsyncSync, openSync, renameSync, writeSync } from 'node:fs'
import { UsageError } from '../command-line/usage-error.ts'

/** Where the rows go. */
export interface ListOutput {
  write(text: string): Promise<void>
  /** Renames the complete file from its temporary name. */
  finish(): void
  /** Leaves an incomplete file under its temporary name. */
  abandon(): void
}

const BUFFER_CHARACTERS = 64 * 1024

/** Rows of a run that did not reach the end. */
const partOf = (path: string): string => `${path}.part`

export const journalOf = (path: string): string => `${path}.journal`

/** A finished output is never overwritten: its journal is gone, so the list would be paid for again. */
export function refuseFinished(path: string, hasJournal = existsSync(journalOf(path))): void {
  if (existsSync(path) && !hasJournal) {
    throw new UsageError('--out names a file that exists; move it away, or choose another name')
  }
}

/** Opens standard output, or a file readable by its owner only. */
export const openOutput = (path: string | null): ListOutput =>
  path === null ? STANDARD_OUTPUT : openFile(path)

const STANDARD_OUTPUT: ListOutput = {
  async write(text) {
    if (!process.stdout.write(text)) await once(process.stdout, 'drain')
  },
  finish: () => {},
  abandon: () => {},
}

function openFile(path: string): ListOutput {
  const file = guarded(() => openSync(partOf(path), 'w', 0o600))
  let buffered = ''
  const flush = () => {
    const bytes = Buffer.from(buffered)
    buffered = ''
    for (let at = 0; at < bytes.length; ) at += guarded(() => writeSync(file, bytes, at))
  }
  return {
    async write(text) {
      buffered += text
      if (buffered.length >= BUFFER_CHARACTERS) flush()
    },
    finish() {
      flush()
      guarded(() => fsyncSync(file))
      closeSync(file)
      guarded(() => renameSync(partOf(path), path))
    },
    abandon() {
      flush()
      closeSync(file)
    },
  }
}

function guarded<T>(act: () => T): T {
  try {
    return act()
  } catch (error) {
    throw new UsageError(`--out cannot be written (${(error as NodeJS.ErrnoException).code})`)
  }
}
