import type { Hex } from 'viem'
import { isRecent } from '../../../../caches/is-recent.ts'
import type { Ledger } from '../../../../ledger/ledger.ts'

/** One signed transaction of the settlement account that is not mined for good. */
export interface PendingTransaction {
  readonly nonce: number
  /** Newest last; each replacement adds one. */
  readonly hashes: readonly Hex[]
  readonly raw: Hex
  /** When it was last broadcast, UTC milliseconds. */
  readonly sentAt: number
  /** End of the authorization it settles, UTC seconds of the chain's clock; afterwards it could only revert. */
  readonly expiresAt: number
  /** Number of the block it was mined and booked in; until that is final, a reorganisation may take it back. */
  readonly minedIn?: number
}

/** As it waits again after a reorganisation. */
export const unmined = ({ minedIn: _, ...entry }: PendingTransaction): PendingTransaction => entry

/** An earlier one may be mined instead. */
export const newestHash = ({ hashes }: PendingTransaction): Hex => hashes.at(-1) as Hex

/** `now`: UTC milliseconds. */
export const isLate = ({ sentAt }: PendingTransaction, ageMs: number, now: number): boolean =>
  !isRecent(sentAt, now, ageMs)

/** The pending transactions of one key; any replica can continue with them. */
export interface SettlementJournal {
  /** Reads without the lock; what is saved later does not depend on it. */
  look(): Promise<readonly PendingTransaction[]>
  /** Reads before a `save`; only under the lock of the key. */
  load(): Promise<readonly PendingTransaction[]>
  /** Replaces what was last loaded or saved, under the same lock; rejects if another process wrote meanwhile. */
  save(pending: readonly PendingTransaction[]): Promise<void>
}

/** For a chain that ends with this process. */
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
