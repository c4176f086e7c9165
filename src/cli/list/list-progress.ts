import { createProgress } from '../command-line/progress.ts'
import { usdc } from '../usdc.ts'
import type { InputRow } from './input-row.ts'

export interface ListProgress {
  /** Counts a row that is done. */
  add(row: InputRow, spent: () => bigint): void
  end(): void
}

const BAR = 24
const EVERY_MS = 200

/** A bar with rate, time left and money spent; nothing on a pipe. */
export function createListProgress(stream: NodeJS.WriteStream, totalBytes: number | null): ListProgress {
  const line = createProgress(stream)
  const startedAt = performance.now()
  let shownAt = 0
  let rows = 0
  let characters = 0
  return {
    add({ cells }, spent) {
      rows += 1
      characters += cells.reduce((sum, cell) => sum + cell.length + 1, 0)
      const now = performance.now()
      if (!stream.isTTY || now - shownAt < EVERY_MS) return
      shownAt = now
      const seconds = (now - startedAt) / 1000
      // An estimate: quotes and multi-byte characters take more bytes than are counted.
      const share = totalBytes === null ? null : Math.min(1, characters / totalBytes)
      const rate = `${rows} rows, ${Math.round(rows / seconds)}/s`
      line.show([...bar(share, seconds), rate, usdc(spent())].join('  '))
    },
    end: () => line.end(),
  }
}

function bar(share: number | null, seconds: number): string[] {
  if (share === null || share === 0) return []
  const filled = Math.round(share * BAR)
  const left = `${Math.round((seconds * (1 - share)) / share)} s left`
  return [`[${'#'.repeat(filled)}${'-'.repeat(BAR - filled)}] ${Math.floor(share * 100)} %`, left]
}
