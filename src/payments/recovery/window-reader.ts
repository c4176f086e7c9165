import { memoize } from '../../caches/memoize.ts'
import type { PaymentRow } from '../../ledger/payments/payment-row.ts'
import { ifAnswered } from '../chain/chain-reader.ts'
import { finalBlock } from '../chain/final-block.ts'
import type { RunOptions } from './run-rows.ts'
import { STEP_BLOCKS, scanTransfers } from './unknown-transfers.ts'

export interface WindowOptions extends RunOptions {
  /** The last block that was read of each window; kept between runs, so that none is read twice. */
  readonly windows?: Map<string, bigint>
}

/** Rows of one window for which its logs are read. */
const FEWEST_ROWS = 50
/** Windows that were not read to their end, after which a run reads no more: each may have cost the patience for a node. */
const MOST_SKIPPED = 3

/**
 * Returns a function that reads the transfers of one window of blocks in which many of the rows were claimed, to their
 * payee, and resolves with the number of rows that they explain; null if there is no such window. A window that the node
 * does not give is left out for the run. Transfers that no row accounts for are reported by the scan.
 */
export function windowReader(
  options: WindowOptions,
): (rows: readonly PaymentRow[]) => Promise<number | null> {
  const { windows = new Map<string, bigint>(), ...reading } = options
  const { chain, now, payee, backoff, goOn = async () => true } = reading
  const skipped = new Set<string>()
  // One for the whole run: with the newest one, the last window would never be read to its end.
  const readFinal = memoize(async () => finalBlock(await chain.head(), chain) ?? 0n, Number.POSITIVE_INFINITY)
  let isWorthIt = true

  const isCandidate = (row: PaymentRow) =>
    row.network === payee.network && row.claimedBlock !== null && (backoff?.isDue(row, now()) ?? true)

  const read = async (name: string, rows: readonly PaymentRow[], final: bigint): Promise<number | null> => {
    const { asset, payTo, claimedBlock } = rows[0] as PaymentRow
    const first = windowAfter(claimedBlock)
    const last = first + STEP_BLOCKS - 1n
    const range = { from: windows.get(name) ?? first - 1n, to: last < final ? last : final }
    if (skipped.has(name) || range.from >= range.to) return null
    let [answers, explained] = [0, 0]
    // A node may give as little as ten blocks in an answer, of two questions; each row alone is one.
    const saves = () => 2 * answers <= Math.max(explained, rows.length)
    const scan = await scanTransfers(
      {
        ...reading,
        payee: { network: payee.network, asset, payTo },
        goOn: async () => saves() && (await goOn()),
        onUnknown: () => {},
      },
      range,
      async (_seen, next, found) => {
        answers += 1
        explained = found
        windows.set(name, next)
      },
    )
    if (!scan.complete) skipped.add(name)
    isWorthIt = saves() && skipped.size < MOST_SKIPPED
    return scan.found
  }

  return async (rows) => {
    for (const [name, some] of Map.groupBy(rows.filter(isCandidate), nameOf)) {
      if (!isWorthIt || some.length < FEWEST_ROWS) continue
      const final = await ifAnswered(readFinal)
      const found = final === null ? null : await read(name, some, final)
      if (found !== null) return found
    }
    return null
  }
}

/** The first block of the window in which a payment that was claimed at this block is expected. */
const windowAfter = (claimedBlock: bigint | null): bigint => {
  const next = (claimedBlock ?? 0n) + 1n
  return next - (next % STEP_BLOCKS)
}

const nameOf = ({ payTo, claimedBlock }: PaymentRow): string => `${payTo}/${windowAfter(claimedBlock)}`
