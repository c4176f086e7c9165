import type { Network, SettleResponse } from '@x402/core/types'
import type { Hex } from 'viem'
import { getAddress } from 'viem/utils'
import type { PaymentRow } from '../../../ledger/payments/payment-row.ts'
import { saltedHash, sha256 } from '../../../receipts/receipt-hashes.ts'
import type { ReceiptSigner } from '../../../receipts/receipt-signer.ts'
import { signReceipt } from '../../../receipts/signed-receipt.ts'
import type { ResultJson, SurfaceName } from '../../ports/sale.ts'
import type { Bindings } from '../../secrets/bindings.ts'
import { resourceUrl } from '../../terms/quoted-resource.ts'

export interface Bought {
  readonly requestDigest: Buffer
  readonly json: () => ResultJson
}

export interface Paid
  extends Pick<
    PaymentRow,
    'network' | 'payer' | 'payTo' | 'amount' | 'checkType' | 'surface' | 'shape' | 'salt' | 'bindingKey'
  > {
  readonly transaction: string
  /** UTC milliseconds. */
  readonly issuedAt: number
}

export type ReceiptOf = (paid: Paid, bought: Bought) => Promise<SettleResponse>

/**
 * Receipts follow from the row and the call, so all repetitions are equal. They hold hashes of what was bought until
 * the salt of these is deleted.
 */
export function receiptMaker(
  signer: ReceiptSigner,
  baseUrl: string,
  bindings: Pick<Bindings, 'receiptSalt'>,
): ReceiptOf {
  return async (paid, { requestDigest, json }) => {
    const payload = {
      version: 1,
      network: paid.network as Network,
      resourceUrl: resourceUrl(
        baseUrl,
        { type: paid.checkType, shape: paid.shape },
        paid.surface as SurfaceName,
      ),
      payer: getAddress(paid.payer as Hex),
      payTo: getAddress(paid.payTo as Hex),
      issuedAt: Math.floor(paid.issuedAt / 1000),
      transaction: paid.transaction,
      amount: paid.amount.toString(),
    } as const
    const salt = await bindings.receiptSalt(paid)
    if (salt === null) return signReceipt(signer, payload)
    const requestHash = saltedHash(salt, requestDigest)
    const resultHash = saltedHash(salt, sha256(json().result))
    return signReceipt(signer, { ...payload, requestHash, resultHash }, salt)
  }
}

/** Throws unless the row is settled. */
export function paidBy(row: PaymentRow): Paid {
  const { state, transaction, settlingAt, settledAt } = row
  if (state !== 'settled' || transaction === null || settledAt === null)
    throw new Error('a receipt requires a settled row')
  // The start of the settlement: the only time of a row that is on disk before the receipt leaves.
  return { ...row, transaction, issuedAt: settlingAt ?? settledAt }
}

export function refusalOf(network: string, payer: string, code: string): SettleResponse {
  return {
    success: false,
    errorReason: code,
    payer: getAddress(payer as Hex),
    transaction: '',
    network: network as Network,
  }
}
