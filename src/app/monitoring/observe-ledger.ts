import type { Ledger, PaymentChange, PaymentRow } from '../../ledger/ledger.ts'

/** One call of the store that is over. */
export interface StoreCall {
  readonly kind: 'read' | 'write'
  readonly ms: number
  readonly failed: boolean
}

export interface LedgerObserver {
  onCall(call: StoreCall): void
  /** A row was moved: as it was before, and what was changed. */
  onMove(seen: PaymentRow, change: PaymentChange): void
}

const WRITES: ReadonlySet<string> = new Set<keyof Ledger>([
  'claim',
  'reclaim',
  'move',
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
])

type Method = (...args: unknown[]) => Promise<unknown>

/** The same ledger, with an onlooker to every call; what it answers, or throws, is passed on as it is. */
export function observeLedger(
  ledger: Ledger,
  observer: LedgerObserver,
  now: () => number = () => performance.now(),
): Ledger {
  const watched = new Map<string, Method>()
  const watch = (name: string, method: Method): Method => {
    const kind = WRITES.has(name) ? 'write' : 'read'
    return async (...args) => {
      const begun = now()
      let failed = true
      try {
        const result = await method.apply(ledger, args)
        failed = false
        if (name === 'move' && result !== null)
          observer.onMove(args[0] as PaymentRow, args[1] as PaymentChange)
        return result
      } finally {
        observer.onCall({ kind, ms: now() - begun, failed })
      }
    }
  }
  return new Proxy(ledger, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name)
      if (typeof name !== 'string' || typeof member !== 'function') return member
      const known = watched.get(name) ?? watch(name, member as Method)
      watched.set(name, known)
      return known
    },
  })
}

/**
 * What the chain has cleared up with this move: a row nobody was told the outcome of is settled from a chain log, or
 * dead. Null for every other move; with `proofOnChain` also for the log each ordinary sale waits for.
 */
export function clearedUp(
  seen: PaymentRow,
  change: PaymentChange,
  proofOnChain: boolean,
): 'settled' | 'dead' | null {
  if (change.state === 'dead') return 'dead'
  if (change.state !== 'settled' || typeof change.logIndex !== 'number') return null
  return seen.state === 'settling' && proofOnChain ? null : 'settled'
}
