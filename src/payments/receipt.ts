import type { SettleResponse } from '@x402/core/types'
import { getAddress } from 'viem/utils'
import type { PaymentRow } from '../ledger/ledger.ts'
import type { Hex } from './chain/chain-reader.ts'
import { NETWORK } from './terms.ts'

/** The receipt of a settled row: rebuilt from the ledger alone, so every repetition is equal to the first. */
export function receiptOf(row: PaymentRow): SettleResponse {
  if (row.state !== 'settled' || row.transaction === null) throw new Error('a receipt needs a settled row')
  return {
    success: true,
    payer: getAddress(row.payer as Hex),
    transaction: row.transaction,
    network: NETWORK,
  }
}

/** The settlement response that goes with a refusal: nothing was sent, so there is no transaction. */
export function refusalOf(payer: string, code: string): SettleResponse {
  return {
    success: false,
    errorReason: code,
    payer: getAddress(payer as Hex),
    transaction: '',
    network: NETWORK,
  }
}
