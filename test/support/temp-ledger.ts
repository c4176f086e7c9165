import { rmSync } from 'node:fs'
import type { Ledger } from '../../src/ledger/ledger.ts'
import type { NewPayment } from '../../src/ledger/payments/new-payment.ts'
import type { PaymentChange, PaymentRow } from '../../src/ledger/payments/payment-row.ts'
import type { SignedPayment } from './chain-payments.ts'
import { openFreshStore } from './fresh-store.ts'
import { newPayment } from './payment-rows.ts'
import { reach } from './reach-state.ts'

export interface TempLedger {
  readonly ledger: Ledger
  readonly dataDir: string
  close(): Promise<void>
}

/** An embedded store in a directory of its own, gone once it is closed. */
export async function openTempLedger(): Promise<TempLedger> {
  const { ledger, dataDir } = await openFreshStore('test')
  return {
    ledger,
    dataDir,
    close: async () => {
      await ledger.close()
      rmSync(dataDir, { recursive: true })
    },
  }
}

/** The row `sell` would have made for a signed payment. */
export function rowFor({ transfer }: SignedPayment, change: Partial<NewPayment> = {}): NewPayment {
  return newPayment({
    payer: transfer.from.toLowerCase(),
    nonce: transfer.nonce.toLowerCase(),
    amount: BigInt(transfer.value),
    payTo: transfer.to.toLowerCase(),
    validBefore: Number(transfer.validBefore),
    owner: null,
    leaseUntil: 0,
    claimedAt: Date.now(),
    ...change,
  })
}

/** Claims a row and moves it to where a test begins. */
export async function rowIn(ledger: Ledger, payment: NewPayment, change: PaymentChange): Promise<PaymentRow> {
  const outcome = await ledger.claim(payment)
  if (outcome.kind !== 'claimed') throw new Error(outcome.kind)
  return reach(ledger, outcome.row, change)
}
