import { eip3009ABI } from '@x402/evm'
import { decodeFunctionData, isAddressEqual } from 'viem'
import type { Ledger } from '../../ledger/ledger.ts'
import type { Hex } from '../chain/chain-reader.ts'
import type { SignedTransaction } from './settlement-queue.ts'

export interface RecordSentOptions {
  readonly ledger: Pick<Ledger, 'noteSent'>
  /** CAIP-2. */
  readonly network: string
  readonly token: Hex
}

/**
 * Writes each signed transaction down on the row of the payment it settles, durably, before it is broadcast; rejects,
 * so that nothing is sent, where no settlement of that payment is under way.
 *
 * The row's own column is record enough: a transaction moves exactly one authorization, and after a crash the hash
 * tells an operator where to look, while the chain tells the rest. One that takes the place of an earlier one is sent
 * whatever has become of the row by then, since all later ones wait for its nonce.
 */
export function recordSent({ ledger, network, token }: RecordSentOptions) {
  return async ({ hash, call, replaces }: SignedTransaction): Promise<void> => {
    // A wallet contract that does not exist yet is made first, by a call of its own that moves no money.
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
