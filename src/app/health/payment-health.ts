import type { Log } from '../../log.ts'
import type { SettlementState } from '../../payments/ports/own-settlement.ts'
import type { PauseCode } from '../../payments/ports/sale.ts'
import type { SignerState } from '../../payments/ports/signer.ts'
import type { Losses } from '../../payments/sale/table/sale-context.ts'
import { isPausing, type PaymentTrouble } from '../../surfaces/site/status/status.ts'
import type { NetworkParts } from '../options.ts'
import { type ChainState, monitorChain } from './chain-monitor.ts'
import { monitorFacilitator } from './facilitator-monitor.ts'
import { monitorGas } from './gas-monitor.ts'

export interface PaymentHealthOptions extends NetworkParts {
  /** Absent if the keys are in this process. */
  readonly signerState?: (() => SignerState) | undefined
  /** UTC milliseconds. */
  readonly now?: () => number
  readonly log: Log
}

/** Figures for the metrics; null if they do not apply or are not known yet. */
export interface PaymentGauges {
  readonly settlementsLeft: number | null
  /** Settlements of this process that are signed and not mined. */
  readonly settlementsPending: number | null
  readonly gasPerSale: number | null
  /** Transactions of this process by how many settlements each held. */
  readonly settlementBatches: ReadonlyMap<number, number> | null
  /** By how much the clock of the ledger is ahead of the chain's. */
  readonly clockAheadSeconds: number | null
}

export type PaymentHealth = ReturnType<typeof createPaymentHealth>

const CHAIN = {
  up: [null, 'chain_up'],
  unknown: ['chain_unavailable', 'chain_down'],
  no_answer: ['chain_unavailable', 'chain_down'],
  wrong_chain: ['chain_wrong', 'chain_wrong'],
  stalled: ['chain_stalled', 'chain_stalled'],
} as const satisfies Record<ChainState, readonly [PaymentTrouble | null, string]>

/** The time of the chain that is furthest behind; null while one is unknown. */
export function earliestOf(times: readonly (number | null)[]): number | null {
  return times.every((time) => time !== null) ? Math.min(...times) : null
}

export function createPaymentHealth(options: PaymentHealthOptions) {
  const { network, chain, facilitator, gasLevel, settlementState, signerState, log, now } = options
  const node = monitorChain(
    chain,
    (state) => log.warn({ event: CHAIN[state][1], setting: 'RPC_URL' }, 'chain'),
    now,
    (ms) => log.warn({ event: 'clock_off', ms }, 'chain'),
  )
  const settler = monitorFacilitator(facilitator, network, log)
  const gas = gasLevel === undefined ? null : monitorGas(gasLevel, log)
  /** Everything that keeps payments from working, except the store. */
  const troubles = (): readonly PaymentTrouble[] => {
    const found: PaymentTrouble[] = []
    const [chainTrouble] = CHAIN[node.state()]
    if (chainTrouble !== null) found.push(chainTrouble)
    if (node.isClockOff()) found.push('clock_wrong')
    if (settler.support() === 'unsupported') found.push('facilitator_unsupported')
    if (settler.support() === 'no_answer') found.push('facilitator_silent')
    if (gas?.status() === 'empty') found.push('settlement_account_empty')
    if (gas?.status() === 'low') found.push('settlement_account_low')
    const { isTooExpensive, isSpent, isBelowCost } = settlementState?.() ?? {}
    if (isTooExpensive) found.push('settlement_too_expensive')
    const keys = signerState?.()
    if (isSpent) found.push('daily_loss_reached')
    if (keys === 'away' || keys === 'spent') found.push('signer_away')
    if (isBelowCost) found.push('sold_below_cost')
    return found
  }
  return {
    troubles,
    /** What pauses new sales, or null: they could not be settled, or not be resolved if in doubt. */
    pausedBy: (): PauseCode | null => {
      const trouble = troubles().find(isPausing)
      if (trouble === undefined) return null
      if (trouble.startsWith('chain_')) return 'chain_unavailable'
      if (trouble === 'clock_wrong') return 'clock_wrong'
      // All others are about this service's own keys, gas and money.
      return trouble === 'facilitator_unsupported' ? 'facilitator_unavailable' : 'sales_paused'
    },
    losses: lossesOf(settlementState),
    chainUp: () => node.state() === 'up',
    /** UTC milliseconds by the clock of the chain. */
    chainTime: node.time,
    headNumber: node.head,
    gauges: (): PaymentGauges => {
      const aheadMs = node.clockAheadMs()
      return {
        settlementsLeft: gas?.settlementsLeft() ?? null,
        settlementsPending: settlementState?.().pending ?? null,
        gasPerSale: settlementState?.().gasPerSale() ?? null,
        settlementBatches: settlementState?.().batches ?? null,
        clockAheadSeconds: aheadMs === null ? null : aheadMs / 1000,
      }
    },
    firstPoll: node.firstPoll,
    stop: async () => {
      await Promise.all([node.stop(), settler.stop(), gas?.stop()])
    },
  }
}

const lossesOf = (state: (() => SettlementState) | undefined): Losses =>
  state === undefined ? { paidBy: 'facilitator' } : { paidBy: 'us', isLimitReached: () => state().isSpent }
