import type { Network, SettleResponse } from '@x402/core/types'
import type { Hex } from 'viem'
import { getAddress } from 'viem/utils'
import type { PaymentRow } from '../../../ledger/payment-row.ts'
import { digestOfJson, saltedHash } from '../../extensions/receipt-hashes.ts'
import type { ReceiptSigner } from '../../extensions/receipt-signer.ts'
import { type ReceiptPayload, signReceipt } from '../../extensions/signed-receipt.ts'
import type { ResultJson, SurfaceName } from '../../ports/sale.ts'
import type { Bindings } from '../../secrets/bindings.ts'
import { resourceUrl } from '../../terms/quotes.ts'

export interface Bought {
  readonly requestDigest: Buffer
  readonly json: () => ResultJson
}

/** The settlement response of a settled row, with a signed receipt; throws for any other row. */
export type ReceiptOf = (row: PaymentRow, bought: Bought) => Promise<SettleResponse>

/** Receipts are rebuilt from the row and the call, so every repetition in the replay window is equal to the first. */
export function receiptMaker(
  signer: ReceiptSigner,
  baseUrl: string,
  bindings: Pick<Bindings, 'receiptSalt'>,
): ReceiptOf {
  return async (row, bought) => {
    const { state, transaction, settlingAt, settledAt } = row
    if (state !== 'settled' || transaction === null || settledAt === null)
      throw new Error('a receipt requires a settled row')
    const payload = {
      version: 1,
      network: row.network as Network,
      resourceUrl: resourceUrl(baseUrl, row.checkType, row.surface as SurfaceName, row.shape),
      payer: getAddress(row.payer as Hex),
      // When the settlement was begun: of all times of a row this one alone is on disk before a receipt leaves.
      issuedAt: Math.floor((settlingAt ?? settledAt) / 1000),
      transaction,
      amount: row.amount.toString(),
    } as const
    return signBought(signer, payload, bought, await bindings.receiptSalt(row))
  }
}

/** Signs a receipt with the hashes of what was bought, or without them once their salt was deleted (null). */
export function signBought(
  signer: ReceiptSigner,
  payload: ReceiptPayload,
  { requestDigest, json }: Bought,
  salt: Buffer | null,
): Promise<SettleResponse> {
  if (salt === null) return signReceipt(signer, payload)
  const requestHash = saltedHash(salt, requestDigest)
  const resultHash = saltedHash(salt, digestOfJson(json().result))
  return signReceipt(signer, { ...payload, requestHash, resultHash }, salt)
}

/** The settlement response of a refusal: there is no transaction. */
export function refusalOf(network: string, payer: string, code: string): SettleResponse {
  return {
    success: false,
    errorReason: code,
    payer: getAddress(payer as Hex),
    transaction: '',
    network: network as Network,
  }
}
