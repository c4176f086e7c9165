import type { Hex } from 'viem'
import type { PaymentRow } from '../../ledger/payments/payment-row.ts'
import type { PaymentStore } from '../../ledger/payments/payment-store.ts'
import type { KeyValueStore } from '../../ledger/store/key-values.ts'
import { type ChainReader, type IncomingTransfer, ifAnswered } from '../chain/chain-reader.ts'
import { finalBlock } from '../chain/final-block.ts'
import { DEFAULT_NETWORK, networkOf } from '../networks/networks.ts'

export interface Payee {
  /** CAIP-2. */
  readonly network: string
  readonly asset: string
  readonly payTo: string
}

export interface TransferScanOptions {
  readonly ledger: Pick<PaymentStore, 'find'> & Pick<KeyValueStore, 'ensureFact' | 'replaceFact'>
  readonly chain: ChainReader
  readonly finalityDepth: bigint
  readonly payee: Payee
  readonly goOn?: () => Promise<boolean>
  /** States in which a row accounts for its transfer; by default those in which it may be on the chain. */
  readonly accounted?: readonly PaymentRow['state'][]
  readonly onUnknown: (transfer: IncomingTransfer) => Promise<void> | void
}

export interface TransferScan {
  readonly unknown: number
  /** False if the run ended early; the next one continues. */
  readonly complete: boolean
}

/** Blocks between two writes of the position: an hour of Base. */
const STEP_BLOCKS = 2_000n

/**
 * Searches the final blocks since the last run for transfers to the payee that no row accounts for: money from an unknown
 * source or a second deployment on the same address, or for rows that a restored backup has lost. The position is kept in
 * the store; the first run starts at the newest final block.
 */
export async function findUnknownTransfers(options: TransferScanOptions): Promise<TransferScan> {
  const { ledger, chain, finalityDepth, payee } = options
  const fact = `scanned-to/${placeOf(payee)}`
  const scan = await ifAnswered(async () => {
    const final = finalBlock(await chain.head(), finalityDepth) ?? 0n
    const position = await ledger.ensureFact(fact, String(final))
    const advance = (seen: bigint, next: bigint) => ledger.replaceFact(fact, String(seen), String(next))
    return scanTransfers(options, { from: BigInt(position), to: final }, advance)
  })
  return scan ?? { unknown: 0, complete: false }
}

/** The default network is not named: old stores have its position from a time without other networks. */
const placeOf = ({ network, payTo }: Payee): string =>
  `${network === DEFAULT_NETWORK.id ? '' : `${network}/`}${payTo.toLowerCase()}`

export async function scanTransfers(
  options: TransferScanOptions,
  { from, to }: { readonly from: bigint; readonly to: bigint },
  advance: (seen: bigint, next: bigint) => Promise<unknown> = async () => {},
): Promise<TransferScan> {
  const { chain, payee, goOn = async () => true, onUnknown } = options
  let unknown = 0
  for (let seen = from; seen < to; ) {
    if (!(await goOn())) return { unknown, complete: false }
    const next = seen + STEP_BLOCKS < to ? seen + STEP_BLOCKS : to
    const found: IncomingTransfer[] = []
    for (const transfer of await chain.transfersTo(payee.payTo as Hex, seen + 1n, next))
      if (!(await isAccountedFor(options, transfer))) found.push(transfer)
    // After the last question to the store: the next run repeats a step in which one fails.
    for (const transfer of found) await onUnknown(transfer)
    unknown += found.length
    await advance(seen, next)
    seen = next
  }
  return { unknown, complete: true }
}

/**
 * A transfer of 0 is ignored: anyone can make one in the name of any account. The settlement contract of payment channels
 * sends the payee only what was claimed for it.
 */
async function isAccountedFor(
  { ledger, accounted = MAY_BE_PAID, payee: { network, asset } }: TransferScanOptions,
  { from: payer, nonce, amount }: IncomingTransfer,
): Promise<boolean> {
  if (amount === 0n) return true
  if (nonce === null) return payer === networkOf(network).contracts.channels.toLowerCase()
  const row = await ledger.find({ network, asset: asset.toLowerCase(), payer, nonce })
  return row !== null && row.amount === amount && accounted.includes(row.state)
}

/** In the other states nothing was sent, or can be mined any more. */
const MAY_BE_PAID: readonly PaymentRow['state'][] = ['settling', 'in_doubt', 'refused', 'settled']
