import type { Hex } from 'viem'
import type { Ledger } from '../../ledger/ledger.ts'
import type { PaymentRow } from '../../ledger/payments/payment-row.ts'
import { type ChainReader, type IncomingTransfer, ifAnswered, type LogPlace } from '../chain/chain-reader.ts'
import { finalBlock } from '../chain/final-block.ts'
import { DEFAULT_NETWORK, networkOf } from '../networks/networks.ts'
import type { Backoff } from './backoff.ts'

export interface Payee {
  readonly network: string
  readonly asset: string
  readonly payTo: string
}

export interface TransferScanOptions {
  readonly ledger: Pick<Ledger, 'find' | 'moveUnflushed'>
  readonly chain: ChainReader
  readonly payee: Payee
  readonly goOn?: () => Promise<boolean>
  /** A row in doubt whose transfer is seen is due in the next run. */
  readonly backoff?: Pick<Backoff, 'forget'>
  /** States in which a row accounts for its transfer; by default those in which it may be on the chain. */
  readonly accounted?: readonly PaymentRow['state'][]
  readonly onUnknown: (transfer: IncomingTransfer) => Promise<void> | void
}

export interface UnknownTransferOptions extends TransferScanOptions {
  readonly ledger: TransferScanOptions['ledger'] & Pick<Ledger, 'ensureFact' | 'replaceFact'>
}

export interface TransferScan {
  readonly unknown: number
  /** Settled rows whose transfer was seen for the first time. */
  readonly found: number
  /** False if the run ended early; the next one continues. */
  readonly complete: boolean
}

export interface ScanPositionOptions {
  readonly chain: Pick<ChainReader, 'finalityDepth'>
  readonly ledger: Pick<Ledger, 'findFact'>
  readonly payee: Omit<Payee, 'asset'>
}

/** Transfers that are looked up at once, so that they share a transaction; then others get a turn. */
const AT_ONCE = 50
/** The most blocks between two writes of the position: an hour of Base. */
export const STEP_BLOCKS = 2_000n

/**
 * Searches the final blocks since the last run for transfers to the payee. A settled row that one pays is found, without a
 * question of its own to the node. Those that no row accounts for are money from an unknown source or a second deployment
 * on the same address, or of rows that a restored backup has lost. The position is kept in the store; the first run starts
 * at the newest final block.
 */
export async function findUnknownTransfers(options: UnknownTransferOptions): Promise<TransferScan> {
  const { ledger, chain, payee } = options
  const fact = positionOf(payee)
  const scan = await ifAnswered(async () => {
    const final = finalBlock(await chain.head(), chain) ?? 0n
    const position = await ledger.ensureFact(fact, String(final))
    const advance = (seen: bigint, next: bigint) => ledger.replaceFact(fact, String(seen), String(next))
    return scanTransfers(options, { from: BigInt(position), to: final }, advance)
  })
  return scan ?? { unknown: 0, found: 0, complete: false }
}

/** Seconds from the newest final block back to the scanned one; null while not known. Rejects with `StoreUnavailable`. */
export async function scanBehind(
  { ledger, payee, chain }: ScanPositionOptions,
  head: bigint | null,
): Promise<number | null> {
  const position = await ledger.findFact(positionOf(payee))
  if (position === null || head === null) return null
  const blocks = Number(head - chain.finalityDepth - BigInt(position))
  return Math.max(0, (blocks * networkOf(payee.network).blockMs) / 1000)
}

/** The default network is not named: old stores have its position from a time without other networks. */
const positionOf = ({ network, payTo }: Omit<Payee, 'asset'>): string =>
  `scanned-to/${network === DEFAULT_NETWORK.id ? '' : `${network}/`}${payTo.toLowerCase()}`

/** Calls `advance` after each answer of the node, with the last block that it holds. Ends where the node does not answer. */
export async function scanTransfers(
  options: TransferScanOptions,
  { from, to }: { readonly from: bigint; readonly to: bigint },
  advance: (seen: bigint, next: bigint, found: number) => Promise<unknown> = async () => {},
): Promise<TransferScan> {
  const { chain, payee, goOn = async () => true, onUnknown } = options
  const counts = { unknown: 0, found: 0 }
  let width = STEP_BLOCKS
  for (let seen = from; seen < to; ) {
    if (!(await goOn())) return { ...counts, complete: false }
    const last = seen + width < to ? seen + width : to
    const answer = await ifAnswered(() => chain.transfersTo(payee.payTo as Hex, seen + 1n, last))
    if (answer === null) return { ...counts, complete: false }
    const { transfers, toBlock: next } = answer
    // Past blocks with too many logs for the node it grows again.
    width = next < last ? next - seen : width * 2n < STEP_BLOCKS ? width * 2n : STEP_BLOCKS
    const unknown: IncomingTransfer[] = []
    for (let start = 0; start < transfers.length; start += AT_ONCE) {
      // For its pause alone: a step that is left half done would be done again.
      if (start > 0) await goOn()
      const some = transfers.slice(start, start + AT_ONCE)
      const outcomes = await Promise.all(some.map((transfer) => account(options, transfer)))
      for (const [index, outcome] of outcomes.entries()) {
        if (outcome === 'found') counts.found += 1
        if (outcome === 'unknown') unknown.push(some[index] as IncomingTransfer)
      }
      await new Promise((resolve) => setImmediate(resolve))
    }
    // After the last question to the store: the next run repeats a step in which one fails.
    for (const transfer of unknown) await onUnknown(transfer)
    counts.unknown += unknown.length
    await advance(seen, next, counts.found)
    seen = next
  }
  return { ...counts, complete: true }
}

/**
 * A transfer of 0 is ignored: anyone can make one in the name of any account. The settlement contract of payment channels
 * sends the payee only what was claimed for it.
 */
async function account(
  { ledger, backoff, accounted = MAY_BE_PAID, payee: { network, asset, payTo } }: TransferScanOptions,
  { from: payer, nonce, amount, transaction, logIndex, blockNumber }: IncomingTransfer,
): Promise<'found' | 'known' | 'unknown'> {
  if (amount === 0n) return 'known'
  if (nonce === null)
    return payer === networkOf(network).contracts.channels.toLowerCase() ? 'known' : 'unknown'
  const row = await ledger.find({ network, asset: asset.toLowerCase(), payer, nonce })
  if (row === null || row.amount !== amount || !accounted.includes(row.state)) return 'unknown'
  if (row.state !== 'settled') backoff?.forget(row)
  const isNew = row.claimedBlock !== null && blockNumber > row.claimedBlock
  if (row.state !== 'settled' || row.audit !== null || !isNew || row.payTo !== payTo.toLowerCase())
    return 'known'
  return (await noteFound(ledger, row, { transaction, logIndex })) ? 'found' : 'known'
}

/** Lost in a crash, it is looked for again; a flush for each would stop the sales beside it. False if the row has changed. */
export const noteFound = async (
  ledger: Pick<Ledger, 'moveUnflushed'>,
  row: PaymentRow,
  { transaction, logIndex }: Pick<LogPlace, 'transaction' | 'logIndex'>,
): Promise<boolean> => (await ledger.moveUnflushed(row, { audit: 'found', transaction, logIndex })) !== null

/** In the other states nothing was sent, or can be mined any more. */
const MAY_BE_PAID: readonly PaymentRow['state'][] = ['settling', 'in_doubt', 'refused', 'settled']
