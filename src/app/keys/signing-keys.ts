import { newReceiptKey, readFormerReceiptKey, readReceiptKey } from '../../payments/extensions/receipt-key.ts'
import { type ReceiptIdentity, receiptIdentity } from '../../payments/extensions/receipt-signer.ts'
import type { JwsKey } from '../../payments/signing/signer.ts'
import {
  type CardKey,
  cardKey,
  type Jwk,
  newCardKey,
  readCardKey,
  readFormerCardKey,
} from '../../surfaces/a2a/card/card-key.ts'
import { keyFile } from './key-file.ts'
import { keySource } from './key-source.ts'

type GivenKey = string | JwsKey | null | undefined

export const loadCardKey = (given: GivenKey, dataDir: string | null): CardKey =>
  keySource(
    given,
    dataDir,
    (key) => (typeof key === 'string' ? readCardKey(key) : cardKey(key)),
    (directory) => readCardKey(keyFile(directory, 'a2a-card-key.pem', newCardKey)),
  )

export const loadReceiptKey = (given: GivenKey, dataDir: string | null): JwsKey =>
  keySource(
    given,
    dataDir,
    (key) => (typeof key === 'string' ? readReceiptKey(key) : key),
    (directory) => readReceiptKey(keyFile(directory, 'receipt-key.pem', newReceiptKey)),
  )

/** Public keys that no longer sign and are still published, so that older signatures can be verified. */
export interface FormerKeys {
  readonly cardKeys: readonly Jwk[]
  readonly receipts: readonly ReceiptIdentity[]
}

export function readFormerKeys(options: {
  readonly cardKeyPrevious?: string | null
  readonly receiptKeyPrevious?: string | null
  readonly baseUrl: string
}): FormerKeys {
  const { cardKeyPrevious, receiptKeyPrevious, baseUrl } = options
  return {
    cardKeys: [cardKeyPrevious ?? []].flat().map(readFormerCardKey),
    receipts: [receiptKeyPrevious ?? []]
      .flat()
      .map((text) => receiptIdentity(readFormerReceiptKey(text), baseUrl)),
  }
}
