import { usdc } from '../../../../src/payments/networks/format-usdc.ts'

export interface ListProgress {
  add(spent: () => bigint): void
  end(): void
}

const EVERY_MS = 200

/** Rows and different values of the list; null for standard input, which is read once. */
export type Expected = { readonly rows: number; readonly values: number } | null

/** Shows a line with rows, rate and money on a terminal. `most` is the highest price of a value, in atomic units. */
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
    stream.write(`\r${rate}  ${usdc(spent)}${total}\u001b[K`)
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
