/** Prices that one deposit brings into the channel. */
const DEPOSIT = 2

/** A transaction that a facilitator received. Amounts count prices. */
export type Transaction =
  | {
      readonly what: 'deposit'
      readonly nonce: string
      readonly voucher: number
      readonly validBefore: number
    }
  | { readonly what: 'claim'; readonly claim: Claim }
  | {
      readonly what: 'refund'
      readonly nonce: number
      readonly amount: number
      readonly voucher: number
      readonly claim: Claim | null
    }

export interface Claim {
  readonly total: number
  /** What the voucher is signed for, and the payer's signature over it. */
  readonly most: number
  readonly signature: string
}

/** The settlement contract for one channel; a transaction in `air` was received and may be mined at any time, or never. */
export class SimulatedContract {
  balance = 0
  claimed = 0
  nonce = 0
  /** UTC seconds; 0 while the payer does not withdraw. */
  withdrawAt = 0
  paidOut = 0
  /** Nonces of deposits that were taken, with what their vouchers are signed for. */
  readonly used = new Map<string, number>()
  /** Vouchers that refunds were paid for on. */
  readonly refunds: number[] = []
  air: Transaction[] = []
  /** Money has left the channel again, so that a payer may deposit for a call once more. */
  hasPaidBack = false
  readonly #signatureOf: (amount: number) => string | undefined

  /** `signatureOf` is the payer's signature over a sum of prices, if there is one. */
  constructor(signatureOf: (amount: number) => string | undefined) {
    this.#signatureOf = signatureOf
  }

  /** What a node shows; it stays as it is. */
  view() {
    const { balance, claimed, nonce, withdrawAt, paidOut } = this
    return { balance, claimed, nonce, withdrawAt, paidOut, used: new Set(this.used.keys()) }
  }

  /** False if the transaction reverts. */
  mine(transaction: Transaction, seconds: number): boolean {
    this.air = this.air.filter((each) => each !== transaction)
    switch (transaction.what) {
      case 'deposit':
        if (this.used.has(transaction.nonce) || transaction.validBefore <= seconds) return false
        this.used.set(transaction.nonce, transaction.voucher)
        this.balance += DEPOSIT
        return true
      case 'claim':
        return this.#claim(transaction.claim)
      case 'refund':
        return this.#refund(transaction)
    }
  }

  #claim({ total, most, signature }: Claim): boolean {
    if (total > this.balance || total > most || this.#signatureOf(most) !== signature) return false
    this.claimed = Math.max(this.claimed, total)
    return true
  }

  #refund({ nonce, amount, voucher, claim }: Extract<Transaction, { what: 'refund' }>): boolean {
    if (nonce !== this.nonce || (claim !== null && !this.#claim(claim))) return false
    const paid = Math.min(amount, this.balance - this.claimed)
    this.balance -= paid
    this.nonce += 1
    this.refunds.push(voucher)
    this.hasPaidBack ||= paid > 0
    if (this.balance === this.claimed) this.withdrawAt = 0
    return true
  }

  /** The payer takes out what is not claimed. */
  withdraw(): void {
    this.balance = this.claimed
    this.withdrawAt = 0
    this.hasPaidBack = true
  }

  /** The least that is left once every refund in the air is mined. */
  worstBalance(): number {
    const worst = new SimulatedContract(this.#signatureOf)
    Object.assign(worst, { balance: this.balance, claimed: this.claimed, nonce: this.nonce, air: [] })
    for (const each of this.air) if (each.what === 'refund') worst.mine(each, 0)
    return worst.balance
  }
}
