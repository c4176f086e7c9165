import type { SettleResponse } from '@x402/core/types'
import { OFFER_RECEIPT } from '@x402/extensions/offer-receipt'
import { getAddress } from 'viem/utils'
import type { PaymentRow } from '../../ledger/ledger.ts'
import type { Hex } from '../chain/chain-reader.ts'
import type { ReceiptSigner } from '../extensions/receipt-signer.ts'
import { signedReceipt } from '../extensions/signed-receipt.ts'
import type { SurfaceName } from '../sale.ts'
import { resourceUrl } from '../terms/quotes.ts'
import { NETWORK } from '../terms/terms.ts'

/** The settlement response of a settled row, with a signed receipt; throws for any other row. */
export type ReceiptOf = (row: PaymentRow) => SettleResponse

/** Receipts are rebuilt and signed from the row alone, so every repetition is equal to the first. */
export function receiptMaker(signer: ReceiptSigner, baseUrl: string): ReceiptOf {
  return (row) => {
    const { state, transaction, settledAt } = row
    if (state !== 'settled' || transaction === null || settledAt === null)
      throw new Error('a receipt requires a settled row')
    const settlement = { payer: getAddress(row.payer as Hex), transaction, network: NETWORK } as const
    const receipt = signedReceipt(signer, {
      ...settlement,
      resourceUrl: resourceUrl(baseUrl, row.checkType, row.surface as SurfaceName, row.shape),
      issuedAt: Math.floor(settledAt / 1000),
    })
    return { success: true, ...settlement, extensions: { [OFFER_RECEIPT]: receipt } }
  }
}

/** The settlement response of a refusal: there is no transaction. */
export function refusalOf(payer: string, code: string): SettleResponse {
  return {
    success: false,
    errorReason: code,
    payer: getAddress(payer as Hex),
    transaction: '',
    network: NETWORK,
  }
}
