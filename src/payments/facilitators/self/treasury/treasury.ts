import type { PaymentPayload } from '@x402/core/types'
import { BATCH_SETTLEMENT_SCHEME } from '@x402/evm'
import type { Hex, TransactionReceipt } from 'viem'
import type { Ledger } from '../../../../ledger/ledger.ts'
import {
  budgetFor,
  countedOf,
  type Outlay,
  type PayersAct,
  type Purpose,
  sumTreasury,
} from '../../../../ledger/treasury/treasury-row.ts'
import { dayOf, HOUR_MS } from '../../../../values/utc-days.ts'
import type { TreasuryState } from '../../../ports/own-settlement.ts'
import type { DataFee } from '../gas/data-fee.ts'

/** Nothing was signed. */
export class TreasuryRefused extends Error {
  override readonly name = 'TreasuryRefused'
}

/** The budget of these payers is used up; the others may be sent without them. */
export class OverShare extends TreasuryRefused {
  readonly payers: readonly string[]

  constructor(payers: readonly string[]) {
    super('the daily budget of these payers is used up')
    this.payers = payers
  }
}

export type TreasuryEvent = 'daily_loss_reached' | 'sold_below_cost' | 'cost_above_reserve'

export interface TreasuryOptions {
  readonly ledger: Pick<Ledger, 'reserve' | 'release' | 'moveReserve' | 'mayAct' | 'treasury'>
  /** Dollars for one ether. */
  readonly ethUsd: bigint
  /** SETTLEMENT_DAILY_LOSS_USD, in millionths of a dollar. */
  readonly dailyLoss: bigint
  /** UTC milliseconds by the clock of the ledger. */
  readonly now: () => number
  readonly report: (event: TreasuryEvent) => void
}

/** Books what each transaction may cost before it is signed, and what it did cost by its receipt; see {@link reserveName}. */
export interface Treasury {
  /** `worst` in wei, with the data fee and every replacement. Rejects with TreasuryRefused or StoreUnavailable; then nothing may be signed. */
  reserve(name: string, purpose: Purpose, worst: bigint): Promise<void>
  /** Once for each name; later calls change nothing. */
  release(name: string, receipt: TransactionReceipt, shares: Outlay['shares']): Promise<void>
  /** False if no reserve has the name. */
  move(from: string, to: string): Promise<boolean>
  /** Nothing was mined under it, and nothing will be. */
  forget(name: string): Promise<void>
  /** What `reserve` would answer for an act; `worst` in wei. */
  mayAct(act: PayersAct, worst: bigint): ReturnType<Ledger['mayAct']>
  maintain(): Promise<void>
  state(): TreasuryState
}

const WEI = 10n ** 18n
const MILLIONTHS = 1_000_000n
const MOST_REMEMBERED = 4_096

/** A million dollars, in millionths. Only a lying node can name more, and the store could not sum it. */
const MOST = 10n ** 12n

/** Wei in millionths of a dollar, rounded up. */
export function dollarsOf(wei: bigint, ethUsd: bigint): bigint {
  const dollars = (wei * ethUsd * MILLIONTHS + WEI - 1n) / WEI
  return dollars < MOST ? dollars : MOST
}

/** The same for all transactions with one nonce, replacements included. */
export const reserveName = (account: Hex, nonce: number): string => `${account.toLowerCase()}/${nonce}`

export function createTreasury(
  { ledger, ethUsd, dailyLoss, now, report }: TreasuryOptions,
  { costOf }: Pick<DataFee, 'costOf'>,
): Treasury {
  let refused: bigint | null = null
  let isBelowCost = false
  const samples: { readonly at: number; readonly gas: number }[] = []
  const lossLimit = () => ({ day: dayOf(now()), most: dailyLoss })

  const book = async (name: string, outlay: Outlay) => {
    const booked = await ledger.release(name, outlay)
    if (booked === null) return
    if (booked.overrun > 0n && outlay.shares.length > 0) report('cost_above_reserve')
    if (outlay.shares.length === 0) return
    samples.push({ at: now(), gas: Number(outlay.gas) / outlay.shares.length })
    if (samples.length > MOST_REMEMBERED) samples.shift()
    const wasBelowCost = isBelowCost
    isBelowCost = outlay.spent > outlay.shares.reduce((sum, { amount }) => sum + amount, 0n)
    if (isBelowCost && !wasBelowCost) report('sold_below_cost')
  }

  const gasPerSale = () => {
    const since = now() - HOUR_MS
    const recent = samples.filter(({ at }) => at > since).map(({ gas }) => gas)
    return recent.toSorted((a, b) => a - b)[Math.floor(recent.length / 2)] ?? null
  }

  return {
    async reserve(name, purpose, worst) {
      const amount = dollarsOf(worst, ethUsd)
      const said = await ledger.reserve(name, purpose, amount, lossLimit())
      if (said === 'covered' || said === 'admitted') return
      if (typeof said === 'object') throw new OverShare(said.overShare)
      // Half a batch may fit.
      if (said === 'spent' && purpose.kind === 'sale' && purpose.payers.length <= 1) {
        if (refused === null) report('daily_loss_reached')
        refused = amount
      }
      throw new TreasuryRefused(`a transaction that may cost ${amount} millionths of a dollar: ${said}`)
    },
    release: async (name, receipt, shares) =>
      book(name, { spent: dollarsOf(await costOf(receipt), ethUsd), gas: receipt.gasUsed, shares }),
    move: ledger.moveReserve,
    mayAct: (act, worst) => ledger.mayAct(act, dollarsOf(worst, ethUsd), lossLimit()),
    forget: (name) => book(name, { spent: 0n, gas: 0n, shares: [] }),
    async maintain() {
      if (refused === null) return
      const { day, most } = lossLimit()
      const counted = countedOf(sumTreasury(await ledger.treasury(day, day)))
      // One that alone would exceed the limit may be tried again once nothing else counts, since prices fall.
      if (counted === 0n || counted + refused <= budgetFor('balanced', most)) refused = null
    },
    state: () => ({ dailyLoss, isSpent: refused !== null, isBelowCost, gasPerSale }),
  }
}

/** Books nothing and bounds nothing: without a limit on losses. */
export const NO_TREASURY: Treasury = {
  reserve: async () => {},
  release: async () => {},
  move: async () => true,
  forget: async () => {},
  mayAct: async () => 'admitted',
  maintain: async () => {},
  state: () => ({ dailyLoss: 0n, isSpent: false, isBelowCost: false, gasPerSale: () => null }),
}

export function purposeOf({ accepted, payload }: PaymentPayload): Purpose {
  if (accepted.scheme !== BATCH_SETTLEMENT_SCHEME) return { kind: 'sale', payers: [] }
  const { type, channelConfig } = payload as { type?: unknown; channelConfig?: { payer?: unknown } }
  const payer = String(channelConfig?.payer).toLowerCase()
  return type === 'deposit' || type === 'refund' ? { kind: type, payer } : { kind: 'upkeep' }
}
