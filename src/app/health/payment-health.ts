import type { FacilitatorClient } from '@x402/core/server'
import type { Log } from '../../log.ts'
import type { ChainReader } from '../../payments/chain/chain-reader.ts'
import type { GasLevel } from '../../payments/facilitators/gas-level.ts'
import { isPausing, type PaymentTrouble } from '../../surfaces/status/status.ts'
import { monitorChain } from './chain-monitor.ts'
import { monitorFacilitator } from './facilitator-monitor.ts'
import { monitorGas } from './gas-monitor.ts'

export interface PaymentHealthOptions {
  readonly chain: ChainReader
  readonly facilitator: FacilitatorClient
  /** Absent where the facilitator pays for settlements. */
  readonly gasLevel?: () => Promise<GasLevel>
  /** UTC milliseconds. */
  readonly now?: () => number
  readonly log: Log
}

export interface PaymentHealth {
  /** False while money is paused: nothing new could be settled, or cleared up if in doubt. */
  maySettle(): boolean
  chainUp(): boolean
  /** UTC milliseconds by the clock of the chain, a few seconds behind it at most; ours before the first look. */
  chainTime(): number
  /** Everything that stands in the way of payments, beside the store. */
  troubles(): readonly PaymentTrouble[]
  stop(): Promise<void>
}

/** Keeps an eye on all that payments need outside of this process. */
export function createPaymentHealth({
  chain,
  facilitator,
  gasLevel,
  log,
  now,
}: PaymentHealthOptions): PaymentHealth {
  const node = monitorChain(chain, (up) => log.warn({ event: up ? 'chain_up' : 'chain_down' }, 'chain'), now)
  const settler = monitorFacilitator(facilitator, log)
  const gas = gasLevel === undefined ? null : monitorGas(gasLevel, log)
  const troubles = () => {
    const found: PaymentTrouble[] = []
    if (!node.isUp()) found.push('chain_unavailable')
    if (settler.support() === 'unsupported') found.push('facilitator_unsupported')
    if (settler.support() === 'no_answer') found.push('facilitator_silent')
    if (gas?.level() === 'empty') found.push('settlement_account_empty')
    if (gas?.level() === 'low') found.push('settlement_account_low')
    return found
  }
  return {
    troubles,
    maySettle: () => !troubles().some(isPausing),
    chainUp: node.isUp,
    chainTime: node.time,
    stop: async () => {
      await Promise.all([node.stop(), settler.stop(), gas?.stop()])
    },
  }
}
