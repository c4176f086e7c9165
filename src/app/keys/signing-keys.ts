import { keyFile } from '../../files/key-file.ts'
import type { JwsKey } from '../../receipts/jws-key.ts'
import { newReceiptKey, readFormerReceiptKey, readReceiptKey } from '../../receipts/receipt-key.ts'
import { type ReceiptIdentity, receiptIdentity } from '../../receipts/receipt-signer.ts'
import {
  type CardKey,
  cardKey,
  type Jwk,
  newCardKey,
  readCardKey,
  readFormerCardKey,
} from '../../surfaces/a2a/card/card-key.ts'
import { keySource } from './key-source.ts'

type GivenKey = string | JwsKey

export function loadCardKey(given: GivenKey | null | undefined, dataDir: string | null): CardKey {
  const key = keySource(given, dataDir, (directory) => keyFile(directory, 'a2a-card-key.pem', newCardKey))
  return typeof key === 'string' ? readCardKey(key) : cardKey(key)
}

export function loadReceiptKey(given: GivenKey | null | undefined, dataDir: string | null): JwsKey {
  const key = keySource(given, dataDir, (directory) => keyFile(directory, 'receipt-key.pem', newReceiptKey))
  return typeof key === 'string' ? readReceiptKey(key) : key
}

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
    cardKeys: cardKeyPrevious == null ? [] : [readFormerCardKey(cardKeyPrevious)],
    receipts:
      receiptKeyPrevious == null ? [] : [receiptIdentity(readFormerReceiptKey(receiptKeyPrevious), baseUrl)],
  }
}
