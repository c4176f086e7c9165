import { endOf, type PaymentChange, type PaymentRow } from '../../src/ledger/payments/payment-row.ts'
import { Broken } from './finding.ts'
import { PAYEE, type PacedChain, type Use } from './recovery-world.ts'

const DAY_SECONDS = 86_400
const LOOK_BACK = 1_800n

/** What a run has moved. */
export interface Moves {
  readonly isRestore: boolean
  readonly moved: { settled: number; void: number; found: number; missing: number }
  readonly hasFaults: boolean
}

/** Holds what is written of a row against the chain. */
export class RecoveryJudge {
  readonly #chain: PacedChain

  constructor(chain: PacedChain) {
    this.#chain = chain
  }

  /** Whether a use pays for a row: what was used before the claim paid for another sale. */
  isOurs(row: PaymentRow, use: Use): boolean {
    return (
      use.kind === 'paid' &&
      use.amount === row.amount &&
      (row.claimedBlock === null || use.block > row.claimedBlock)
    )
  }

  startOf({ claimedBlock, claimedAt }: PaymentRow): bigint {
    const claimed =
      claimedBlock ??
      this.#chain.head.number -
        BigInt(
          Math.ceil(
            (Math.floor(this.#chain.now / 1000) - Math.floor(claimedAt / 1000)) / this.#chain.blockSeconds,
          ),
        )
    return claimed > LOOK_BACK ? claimed - LOOK_BACK : 0n
  }

  /** Nothing is written of a row that the chain does not say, or may not say any more. */
  judgeMove(run: Moves, [seen, change]: readonly [PaymentRow, PaymentChange], row: PaymentRow): void {
    const use = this.#chain.useOf(row)
    const final = this.#chain.final
    const isFinal = use !== undefined && final !== null && use.block <= final.number
    if (row.network !== PAYEE.network) throw new Broken('a row of another network is moved')
    if (seen.leaseUntil > this.#chain.now && seen.owner !== null)
      throw new Broken('a row under a live lease is moved')
    if (row.owner !== null || row.leaseUntil !== 0)
      throw new Broken('a row that nothing works on has an owner')
    if (change.audit !== undefined && change.state === undefined) {
      run.moved[change.audit as 'found' | 'missing'] += 1
      this.#judgeAudit(row, use, isFinal)
      return
    }
    if (row.state === 'settled' && run.isRestore) {
      const isThere = isFinal && use.kind === 'paid' && use.amount === row.amount
      if (!isThere) throw new Broken('a restore writes down what was not paid')
    } else if (row.state === 'settled') {
      run.moved.settled += 1
      if (use === undefined || !this.isOurs(row, use))
        throw new Broken('a row is settled, and nothing was paid')
      if (row.transaction !== use.transaction || row.logIndex !== use.logIndex)
        throw new Broken('a row is settled by another transaction')
      if (row.settledAt !== this.#chain.now && !run.hasFaults)
        throw new Broken('a row was settled at another time')
    }
    if (row.state === 'void') {
      run.moved.void += 1
      this.#judgeVoid(row, use, isFinal)
    }
  }

  #judgeVoid(row: PaymentRow, use: Use | undefined, isFinal: boolean): void {
    const head = this.#chain.head
    if (use !== undefined && this.isOurs(row, use)) throw new Broken('a row is void, and it was paid')
    const isUnpaid = use === undefined || use.kind === 'canceled'
    const isExpired = isUnpaid && (this.#chain.final?.timestamp ?? 0) > endOf(row)
    if (row.refusal === 'payment_expired' && !isExpired && !(use?.kind === 'canceled' && isFinal))
      throw new Broken('a row is void as expired, and may still be paid')
    if (row.refusal === 'payment_spent_elsewhere' && (!isFinal || use?.kind === 'canceled'))
      throw new Broken('a row is void as spent elsewhere, and is not')
    if (row.refusal === 'payment_already_used') {
      const isBefore = use !== undefined && use.block <= (row.claimedBlock ?? 0n)
      const isOld = isBefore && use.block <= this.startOf(row)
      if (!isBefore || (!isOld && head.timestamp <= endOf(row) + DAY_SECONDS))
        throw new Broken('a row is void as used before, and may be of a lost sale')
    }
  }

  #judgeAudit(row: PaymentRow, use: Use | undefined, isFinal: boolean): void {
    const isThere = use?.kind === 'paid' && use.amount === row.amount
    if (row.audit === 'found') {
      if (!isThere || !isFinal) throw new Broken('the audit finds what is not final')
      if (row.transaction !== use.transaction || row.logIndex !== use.logIndex)
        throw new Broken('the audit writes down another place')
      return
    }
    // Of what was used before the claim, a node without its log shows that it paid for something else.
    const isIndexed = use !== undefined && use.block <= this.#chain.head.number - this.#chain.node.unindexed
    const isKnown = isIndexed || (use !== undefined && use.block > (row.claimedBlock ?? 0n))
    if (isThere && isKnown && use.block >= this.startOf(row))
      throw new Broken('the audit misses a payment on the chain')
    const isOver =
      (this.#chain.final?.timestamp ?? 0) > Math.max(endOf(row), Math.floor((row.settledAt ?? 0) / 1000))
    if (!isOver) throw new Broken('the audit gives up a payment that may still come')
  }
}
