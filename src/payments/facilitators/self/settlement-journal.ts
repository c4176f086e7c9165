import type { Hex } from 'viem'
import { isRecent } from '../../../is-recent.ts'
import type { Ledger } from '../../../ledger/ledger.ts'

/** One signed transaction of the settlement account that is not known to be mined. */
export interface PendingTransaction {
  /** The account's nonce it takes. */
  readonly nonce: number
  /** Newest last; a replacement has another hash than the transaction before it. */
  readonly hashes: readonly Hex[]
  /** The newest, signed. */
  readonly raw: Hex
  /** When it was broadcast last; UTC milliseconds. */
  readonly sentAt: number
  /** End of the authorization it settles, UTC seconds of the chain's clock; after that it could only revert. */
  readonly expiresAt: number
}

/** The hash of what was broadcast last; the ones before it may be mined instead. */
export const newestHash = ({ hashes }: PendingTransaction): Hex => hashes.at(-1) as Hex

/** Whether it was broadcast at least `ageMs` before `now`, in UTC milliseconds. */
export const isLate = ({ sentAt }: PendingTransaction, ageMs: number, now: number): boolean =>
  !isRecent(sentAt, now, ageMs)

/** The pending transactions of one key. They belong to the key, not to a process: any replica can go on with them. */
export interface SettlementJournal {
  /** For callers that wait for one of them: what is saved afterwards does not rest on it. */
  look(): Promise<readonly PendingTransaction[]>
  /** To be called under the lock of the key only. */
  load(): Promise<readonly PendingTransaction[]>
  /** Replaces what was loaded or saved last, under the same lock; rejects if another process wrote meanwhile. */
  save(pending: readonly PendingTransaction[]): Promise<void>
}

/** Keeps the journal for the life of this process, for a chain that ends with it. */
export function createMemoryJournal(): SettlementJournal {
  let pending: readonly PendingTransaction[] = []
  const load = async () => pending
  return {
    look: load,
    load,
    save: async (next) => {
      pending = next
    },
  }
}

/** Keeps the journal in the store, as one fact for each account and network. */
export function createLedgerJournal(
  ledger: Pick<Ledger, 'ensureFact' | 'replaceFact'>,
  sender: string,
): SettlementJournal {
  const fact = `pending-settlements/${sender.toLowerCase()}`
  const read = () => ledger.ensureFact(fact, '[]')
  const parse = (text: string) => JSON.parse(text) as PendingTransaction[]
  let loaded = '[]'
  return {
    look: async () => parse(await read()),
    load: async () => {
      loaded = await read()
      return parse(loaded)
    },
    save: async (pending) => {
      const value = JSON.stringify(pending)
      if ((await ledger.replaceFact(fact, loaded, value)) !== value)
        throw new Error('another process wrote the pending settlements of this key')
      loaded = value
    },
  }
}
