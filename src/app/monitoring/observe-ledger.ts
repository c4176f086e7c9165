import { makeOnce } from '../../caches/memoize.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import type { PaymentChange, PaymentRow } from '../../ledger/payments/payment-row.ts'

export interface StoreCall {
  readonly kind: 'read' | 'write'
  readonly ms: number
  readonly failed: boolean
}

export interface LedgerObserver {
  onCall(call: StoreCall): void
  onMove(seen: PaymentRow, change: PaymentChange): void
}

const WRITES: ReadonlySet<string> = new Set<keyof Ledger>([
  'claim',
  'reclaim',
  'move',
  'moveUnflushed',
  'noteRepeat',
  'noteSent',
  'noteDelivered',
  'saveTask',
  'endTask',
  'addCounts',
  'acquireLock',
  'releaseLock',
  'ensureFact',
  'replaceFact',
  'purge',
  'openChannel',
  'moveChannel',
  'noteVoucherRepeat',
  'chargeWithTask',
  'showCharge',
  'claimDeposit',
  'moveDeposit',
  'reserve',
  'release',
])

type Method = (...args: unknown[]) => Promise<unknown>

export function observeLedger(ledger: Ledger, observer: LedgerObserver): Ledger {
  const observed = makeOnce(new Map(), (name: string): Method => {
    const method = Reflect.get(ledger, name) as Method
    const kind = WRITES.has(name) ? 'write' : 'read'
    return async (...args) => {
      const begun = performance.now()
      let failed = true
      try {
        const result = await method.apply(ledger, args)
        failed = false
        if ((name === 'move' || name === 'moveUnflushed') && result !== null)
          observer.onMove(args[0] as PaymentRow, args[1] as PaymentChange)
        return result
      } finally {
        observer.onCall({ kind, ms: performance.now() - begun, failed })
      }
    }
  })
  return new Proxy(ledger, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name)
      return typeof name === 'string' && typeof member === 'function' ? observed(name) : member
    },
  })
}

/**
 * True if the chain resolves a doubtful payment, by a log or as `void`. With `proofOnChain` an ordinary sale waits for
 * its log too, and does not count.
 */
export function clearedUp(
  seen: PaymentRow,
  change: PaymentChange,
  proofOnChain: boolean,
): 'settled' | 'void' | null {
  if (change.state === 'void') return 'void'
  if (change.state !== 'settled' || typeof change.logIndex !== 'number') return null
  return seen.state === 'settling' && proofOnChain ? null : 'settled'
}
