import type { Ledger } from '../../ledger/ledger.ts'
import { NO_LEASE, type PaymentRow } from '../../ledger/payments/payment-row.ts'
import { ChainUnavailable, type IncomingTransfer } from '../chain/chain-reader.ts'
import { finalBlock } from '../chain/final-block.ts'
import type { ResolveOptions } from './resolve-payment.ts'
import { blockBefore } from './search-start.ts'
import { type Payee, scanTransfers } from './unknown-transfers.ts'

export interface RestoreOptions extends ResolveOptions {
  readonly ledger: ResolveOptions['ledger'] & Pick<Ledger, 'claim'>
  readonly payee: Payee
}

export interface Restored {
  readonly restored: number
  /** Transfers to the payee that are not payments of this service. */
  readonly ignored: number
}

/**
 * Writes a settled row for every payment since `since` (UTC milliseconds) that a restored ledger has lost, so that its
 * buyer is answered and never charged again. The chain does not say what was bought, so the row has no binding. Rejects
 * with `ChainUnavailable` or `StoreUnavailable`; a second run leaves the rows of the first alone.
 */
export async function restorePayments(options: RestoreOptions, since: number): Promise<Restored> {
  const { chain } = options
  const head = await chain.head()
  const from = await blockBefore(chain, head, Math.floor(since / 1000))
  const counts = { restored: 0, ignored: 0 }
  const onUnknown = async (transfer: IncomingTransfer) => {
    const outcome = await restore(options, transfer)
    if (outcome !== 'under_way') counts[outcome] += 1
  }
  const to = finalBlock(head, chain) ?? 0n
  const { complete } = await scanTransfers({ ...options, accounted: ACCOUNTED, onUnknown }, { from, to })
  if (!complete) throw new ChainUnavailable('the node stopped answering')
  return counts
}

const ACCOUNTED: readonly PaymentRow['state'][] = ['settled']

/**
 * `ignored` if the transfer has no authorization, or a row that it does not pay for. A settling row is left to the
 * process that holds it.
 */
async function restore(
  { ledger, payee, now }: RestoreOptions,
  { from, nonce, amount, transaction, logIndex, blockNumber }: IncomingTransfer,
): Promise<'restored' | 'ignored' | 'under_way'> {
  if (nonce === null) return 'ignored'
  const at = now()
  const outcome = await ledger.claim({
    network: payee.network,
    asset: payee.asset.toLowerCase(),
    payer: from,
    nonce,
    amount,
    payTo: payee.payTo.toLowerCase(),
    origin: 'restored',
    validBefore: null,
    ...NO_LEASE,
    surface: 'restored',
    checkType: 'mixed',
    ruleset: '',
    shape: 'single',
    items: 1,
    salt: null,
    binding: null,
    bindingKey: null,
    signatureMac: null,
    identifier: null,
    taskKey: null,
    claimedAt: at,
    claimedBlock: blockNumber - 1n,
    settlingAt: at,
  })
  if (outcome.kind !== 'claimed' && outcome.kind !== 'known') return 'ignored'
  const { row } = outcome
  if (!isRepeatOf(row, amount, payee)) return 'ignored'
  if (row.state === 'settling' && row.leaseUntil > at) return 'under_way'
  const settling = row.state === 'claimed' ? await ledger.move(row, { state: 'settling', ...NO_LEASE }) : row
  const settled = { state: 'settled', settledAt: at, transaction, logIndex, audit: 'found' } as const
  const change = { ...settled, refusal: null, ...NO_LEASE }
  return settling !== null && (await ledger.move(settling, change)) !== null ? 'restored' : 'ignored'
}

/**
 * The buyer may have repeated the lost sale before the restore: that claim came after the transfer and was not settled.
 * A restore that failed between its writes leaves the row in `settling`.
 */
const isRepeatOf = (row: PaymentRow, amount: bigint, { payTo }: Payee): boolean =>
  REPEATED.includes(row.state) && row.amount === amount && row.payTo === payTo.toLowerCase()

const REPEATED: readonly PaymentRow['state'][] = ['claimed', 'settling', 'in_doubt', 'refused', 'void']
