import { usdc } from '../usdc.ts'

export interface ListProgress {
  add(spent: () => bigint): void
  end(): void
}

const BAR = 24
const EVERY_MS = 200

/** Rows and different values of the list; null for standard input, which is read once. */
export type Expected = { readonly rows: number; readonly values: number } | null

/**
 * A bar with rate, minutes left, money spent and what it will be at the end; nothing on a pipe. `most` is the highest
 * price of a value, in atomic units.
 */
export function createListProgress(
  stream: NodeJS.WriteStream,
  expected: Expected,
  most: bigint,
): ListProgress {
  const startedAt = performance.now()
  let shownAt = startedAt
  let rows = 0
  const total = expected === null ? '' : ` of at most ${usdc(most * BigInt(expected.values))}`
  const show = (spent: bigint) => {
    const seconds = (performance.now() - startedAt) / 1000
    const rate = `${rows}${expected === null ? '' : ` of ${expected.rows}`} rows, ${Math.round(rows / Math.max(seconds, 0.001))}/s`
    const share = expected === null ? null : rows / expected.rows
    const line = [...bar(share, seconds), rate, usdc(spent) + total].join('  ')
    stream.write(`\r${line}\u001b[K`)
  }
  if (stream.isTTY) show(0n)
  return {
    add(spent) {
      rows += 1
      const now = performance.now()
      if (!stream.isTTY || now - shownAt < EVERY_MS) return
      shownAt = now
      show(spent())
    },
    end() {
      if (stream.isTTY) stream.write('\r\u001b[K')
    },
  }
}

function bar(share: number | null, seconds: number): string[] {
  if (share === null || share === 0) return []
  const filled = Math.round(share * BAR)
  const minutes = (seconds * (1 - share)) / share / 60
  const left = minutes < 1 ? `${Math.round(minutes * 60)} s left` : `${Math.ceil(minutes)} min left`
  return [`[${'#'.repeat(filled)}${'-'.repeat(BAR - filled)}] ${Math.floor(share * 100)} %`, left]
}
