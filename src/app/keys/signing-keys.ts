/** The keys this service signs with, given or kept, and those it signed with before. */
import type { KeyObject } from 'node:crypto'
import { newReceiptKey, readFormerReceiptKey, readReceiptKey } from '../../payments/extensions/receipt-key.ts'
import { type ReceiptIdentity, receiptIdentity } from '../../payments/extensions/receipt-signer.ts'
import {
  type CardKey,
  type Jwk,
  newCardKey,
  readCardKey,
  readFormerCardKey,
} from '../../surfaces/a2a/card/card-key.ts'
import { keyFile } from './key-file.ts'
import { keySource } from './key-source.ts'

/** The key that signs the agent card. */
export const loadCardKey = (given: string | null | undefined, dataDir: string | null): CardKey =>
  keySource(given, dataDir, readCardKey, (directory) =>
    readCardKey(keyFile(directory, 'a2a-card-key.pem', newCardKey)),
  )

/** The key that signs offers and receipts. */
export const loadReceiptKey = (given: string | null | undefined, dataDir: string | null): KeyObject =>
  keySource(given, dataDir, readReceiptKey, (directory) =>
    readReceiptKey(keyFile(directory, 'receipt-key.pem', newReceiptKey)),
  )

/** Public keys that are still published because what they signed is still out there; they sign nothing any more. */
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
