import { usdc } from '../describe-purchase.ts'
import { createProgress } from '../progress.ts'

export interface ListProgress {
  show(rows: number, spent: bigint): void
  end(): void
}

const BAR = 24
const EVERY_MS = 200

/**
 * A bar with rate, time left and money spent; nothing on a pipe. The share done is that of the bytes read, which are a
 * little ahead of the rows.
 */
export function createListProgress(
  stream: NodeJS.WriteStream,
  bytesRead: () => number,
  totalBytes: number | null,
): ListProgress {
  const line = createProgress(stream)
  const startedAt = performance.now()
  let shownAt = 0
  return {
    show(rows, spent) {
      const now = performance.now()
      if (!stream.isTTY || now - shownAt < EVERY_MS) return
      shownAt = now
      const seconds = (now - startedAt) / 1000
      const share = totalBytes === null || totalBytes === 0 ? null : Math.min(1, bytesRead() / totalBytes)
      const rate = `${rows} rows, ${Math.round(rows / seconds)}/s`
      line.show([...bar(share, seconds), rate, usdc(spent)].join('  '))
    },
    end: () => line.end(),
  }
}

function bar(share: number | null, seconds: number): string[] {
  if (share === null) return []
  const filled = Math.round(share * BAR)
  const left = share === 0 ? '' : `${Math.round((seconds * (1 - share)) / share)} s left`
  return [`[${'#'.repeat(filled)}${'-'.repeat(BAR - filled)}] ${Math.floor(share * 100)} %`, left]
}
