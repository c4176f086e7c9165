import type { PublicClient } from 'viem'
import type { Hex } from '../chain/chain-reader.ts'

/** The next transaction number of one account; to be used under the account's lock only. */
export interface Nonces {
  next(): Promise<number>
  /** The last one now belongs to a transaction the node has. */
  taken(): void
  /** It is not known whether it does: the node is asked again. */
  forget(): void
}

/** With `remember` false the node is asked every time, as it must be where others send with the same key. */
export function createNonces(client: PublicClient, address: Hex, remember: boolean): Nonces {
  let known: number | undefined
  return {
    next: async () => {
      known ??= await client.getTransactionCount({ address, blockTag: 'pending' })
      return known
    },
    taken: () => {
      known = remember && known !== undefined ? known + 1 : undefined
    },
    forget: () => {
      known = undefined
    },
  }
}
