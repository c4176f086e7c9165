import { type Hex, isAddressEqual } from 'viem'
import type { Ledger } from '../../../../ledger/ledger.ts'
import type { PaymentKey } from '../../../../ledger/payments/payment-row.ts'
import { authorizationOf, partsOf } from '../../../chain/settlement-calls.ts'
import type { SignedTransaction } from './settlement-transaction.ts'

export interface PersistHashOptions {
  readonly ledger: Pick<Ledger, 'noteSent'>
  /** CAIP-2. */
  readonly network: string
  readonly token: Hex
}

export class NotUnderWay extends Error {
  override readonly name = 'NotUnderWay'
  readonly nonces: readonly string[]

  constructor(nonces: readonly string[]) {
    super('no settlement of this payment is under way')
    this.nonces = nonces
  }
}

/**
 * Writes the hash of each signed transaction to the rows of its payments, durably, before it is broadcast. Throws
 * {@link NotUnderWay}, so that nothing is sent, if a row is not being settled. A replacement is always sent, since all
 * later transactions wait for its nonce.
 */
export function persistTransactionHash({ ledger, network, token }: PersistHashOptions) {
  return async ({ hash, call, replaces }: SignedTransaction): Promise<void> => {
    // The deployment of a wallet contract, or a nonce given up, moves no money.
    const calls = partsOf(call).filter(({ to }) => isAddressEqual(to, token))
    if (calls.length === 0) return
    const keys = calls.map(({ data }) => {
      const authorization = authorizationOf(data)
      if (authorization === undefined) throw new Error('the call settles no payment')
      const { payer, nonce } = authorization
      return { network, asset: token.toLowerCase(), payer, nonce }
    })
    const noted = await ledger.noteSent(keys, hash)
    if (noted.length === keys.length || replaces !== undefined) return
    const isNoted = ({ payer, nonce }: PaymentKey) =>
      noted.some((row) => row.payer === payer && row.nonce === nonce)
    throw new NotUnderWay(keys.filter((key) => !isNoted(key)).map(({ nonce }) => nonce))
  }
}
