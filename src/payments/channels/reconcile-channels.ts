import type { ChannelRow, ChannelState } from '../../ledger/channel-store.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { paginate } from '../../ledger/paginate.ts'
import { type ChainReader, ChainUnavailable } from '../chain/chain-reader.ts'
import type { ChannelReader } from './chain/channel-reader.ts'
import { claimableOf, hasState, isOlder } from './channel-balance.ts'
import { compareChannel } from './claims/refresh-channel.ts'
import { resolveDeposit } from './deposits/resolve-deposit.ts'

export interface ChannelReconcileOptions {
  readonly ledger: Ledger
  readonly chain: ChainReader
  readonly reader: ChannelReader
  /** Lower-case. */
  readonly payee: { readonly payTo: string; readonly asset: string }
  readonly finalityDepth: bigint
  /** UTC milliseconds. */
  readonly now: () => number
}

/** Where the store and the contract do not agree in a way that reading the contract again does not mend. */
export interface ChannelDifference {
  readonly channel: string
  readonly payer: string
  /**
   * `ahead`: more was claimed than this store has charged, so the store is older than the chain. `lost`: the payer has
   * withdrawn money that a voucher was signed for. `behind`: the contract shows less than the store has seen there, so
   * the node is behind, or blocks were replaced.
   */
  readonly kind: 'ahead' | 'lost' | 'behind'
  /** Atomic units. */
  readonly amount: bigint
}

/** What one look at every channel found. Amounts are in atomic units. */
export interface ChannelReconciliation {
  readonly deposits: { readonly landed: number; readonly void: number; readonly open: number }
  /** Channels whose row was right, and those whose row has the contract's state only now. */
  readonly equal: number
  readonly updated: number
  /** Charged, and still to be claimed. */
  readonly unclaimed: bigint
  readonly differences: readonly ChannelDifference[]
  /** Of the contract, for PAY_TO: what was claimed in all, and how much of it is not paid out yet. */
  readonly claimed: bigint
  readonly unpaid: bigint
  /** What was claimed for PAY_TO of channels that this store does not know. */
  readonly claimedWithoutRow: bigint
  /** False if the node stopped answering before the last channel. */
  readonly complete: boolean
}

/**
 * Compares every channel with the settlement contract, writes down what the contract says, and names what does not fit.
 * Null if the store has no channels. Rejects with StoreUnavailable.
 *
 * Nothing is claimed or sent: that is done by the service, which holds the key.
 */
export async function reconcileChannels(
  options: ChannelReconcileOptions,
): Promise<ChannelReconciliation | null> {
  const { ledger, reader, payee, now } = options
  const { channels, depositsInDoubt } = await ledger.channelTotals(now())
  if (channels === 0 && depositsInDoubt === 0) return null
  const deposits = { landed: 0, void: 0, open: 0 }
  const differences: ChannelDifference[] = []
  let [equal, updated, unclaimed, known] = [0, 0, 0n, 0n]
  let contract = { claimed: 0n, settled: 0n }
  let complete = true
  try {
    for (const row of await ledger.unresolvedDeposits(now(), Number.MAX_SAFE_INTEGER))
      deposits[await resolveDeposit(options, row)] += 1
    // Before the rows: a claim that is mined meanwhile must not look like one without a row.
    contract = await reader.payee(payee.payTo, payee.asset)
    const rows = paginate<ChannelRow>((limit, after) => ledger.listChannels(limit, after?.id))
    for await (const seen of rows) {
      const { row, state } = await compareChannel(options, seen)
      if (hasState(seen, state)) equal += 1
      else updated += 1
      const difference = differenceOf(row, state)
      if (difference !== null) differences.push(difference)
      const claimable = claimableOf(row) - row.totalClaimed
      if (claimable > 0n) unclaimed += claimable
      if (row.config.receiver === payee.payTo && row.config.token === payee.asset) known += row.totalClaimed
    }
  } catch (error) {
    if (!(error instanceof ChainUnavailable)) throw error
    complete = false
  }
  const rest = contract.claimed - known
  return {
    deposits,
    equal,
    updated,
    unclaimed,
    differences,
    complete,
    claimed: contract.claimed,
    unpaid: contract.claimed - contract.settled,
    claimedWithoutRow: complete && rest > 0n ? rest : 0n,
  }
}

function differenceOf(row: ChannelRow, state: ChannelState): ChannelDifference | null {
  const named = { channel: row.id, payer: row.config.payer }
  if (isOlder(row, state)) return { ...named, kind: 'behind', amount: row.totalClaimed - state.totalClaimed }
  if (row.totalClaimed > row.charged)
    return { ...named, kind: 'ahead', amount: row.totalClaimed - row.charged }
  if (row.charged > row.balance) return { ...named, kind: 'lost', amount: row.charged - row.balance }
  return null
}
