import { eip3009ABI } from '@x402/evm'
import { decodeFunctionData, type Hex, isAddressEqual } from 'viem'
import type { Ledger } from '../../../ledger/ledger.ts'
import type { SignedTransaction } from './settlement-transaction.ts'

export interface PersistHashOptions {
  readonly ledger: Pick<Ledger, 'noteSent'>
  /** CAIP-2. */
  readonly network: string
  readonly token: Hex
}

/**
 * Returns a hook that writes each signed transaction to the row of its payment, durably, before it is broadcast. It
 * rejects, so that nothing is sent, if no settlement of that payment is under way.
 *
 * A replacement is sent whatever the row's state is by then, since all later transactions wait for its nonce.
 */
export function persistTransactionHash({ ledger, network, token }: PersistHashOptions) {
  return async ({ hash, call, replaces }: SignedTransaction): Promise<void> => {
    // The deployment of a wallet contract, or a nonce given up: a call that moves no money.
    if (!isAddressEqual(call.to, token)) return
    const key = { network, asset: token.toLowerCase(), ...authorizationOf(call.data) }
    const underWay = await ledger.noteSent(key, hash)
    if (!underWay && replaces === undefined) throw new Error('no settlement of this payment is under way')
  }
}

/** Payer and nonce, lower-case, of a call to `transferWithAuthorization` in either of its forms. */
function authorizationOf(data: Hex): { readonly payer: string; readonly nonce: string } {
  const { functionName, args } = decodeFunctionData({ abi: eip3009ABI, data })
  if (functionName !== 'transferWithAuthorization') throw new Error('the call settles no payment')
  const [from, , , , , nonce] = args
  return { payer: from.toLowerCase(), nonce: nonce.toLowerCase() }
}
