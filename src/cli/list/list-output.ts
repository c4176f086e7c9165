import { once } from 'node:events'
import { createWriteStream, existsSync, renameSync } from 'node:fs'
import type { Writable } from 'node:stream'
import { UsageError } from '../usage-error.ts'

/** Where the rows go. */
export interface ListOutput {
  write(text: string): Promise<void>
  /** Makes a file complete: it has its own name only now. */
  finish(): Promise<void>
  /** Leaves an incomplete file under its temporary name. */
  abandon(): Promise<void>
}

/** Rows of a run that did not reach the end. */
export const partOf = (path: string): string => `${path}.part`

export const journalOf = (path: string): string => `${path}.journal`

/** Opens the output of a list; a finished one is never written over. */
export function openOutput(path: string | null): ListOutput {
  if (path === null) return streamOutput(process.stdout)
  if (existsSync(path) && !existsSync(journalOf(path))) {
    throw new UsageError('--out names a file that exists; move it away, or choose another name')
  }
  const file = createWriteStream(partOf(path), { mode: 0o600, flush: true })
  const output = streamOutput(file)
  const close = async () => {
    file.end()
    await once(file, 'close')
  }
  return {
    write: output.write,
    async finish() {
      await close()
      renameSync(partOf(path), path)
    },
    abandon: close,
  }
}

function streamOutput(stream: Writable): ListOutput {
  let failure: Error | undefined
  if (stream !== process.stdout) {
    stream.once('error', (error) => {
      failure = error
    })
  }
  return {
    async write(text) {
      if (!stream.write(text) && failure === undefined)
        await Promise.race([once(stream, 'drain'), once(stream, 'close')])
      if (failure !== undefined) {
        throw new UsageError(`--out cannot be written (${(failure as NodeJS.ErrnoException).code})`)
      }
    },
    finish: async () => {},
    abandon: async () => {},
  }
}
