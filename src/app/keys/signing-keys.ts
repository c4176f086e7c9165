import { keyFile } from '../../files/key-file.ts'
import type { JwsKey } from '../../receipts/jws-key.ts'
import { newReceiptKey, readReceiptKey } from '../../receipts/receipt-key.ts'
import { type CardKey, cardKey, newCardKey, readCardKey } from '../../surfaces/a2a/card/card-key.ts'
import type { AppOptions } from '../options.ts'
import { keySource } from './key-source.ts'

type GivenKey = string | JwsKey

type KeyOptions = Pick<AppOptions, 'keys' | 'signer' | 'dataDir'>

export const openCardKey = ({ keys, signer, dataDir }: KeyOptions): CardKey =>
  loadCardKey(signer?.card ?? keys.cardKeyText, dataDir)

export const openReceiptKey = ({ keys, signer, dataDir }: KeyOptions): JwsKey =>
  loadReceiptKey(signer?.receipt ?? keys.receiptKeyText, dataDir)

export function loadCardKey(given: GivenKey | null | undefined, dataDir: string | null): CardKey {
  const key = keySource(given, dataDir, (directory) => keyFile(directory, 'a2a-card-key.pem', newCardKey))
  return typeof key === 'string' ? readCardKey(key) : cardKey(key)
}

export function loadReceiptKey(given: GivenKey | null | undefined, dataDir: string | null): JwsKey {
  const key = keySource(given, dataDir, (directory) => keyFile(directory, 'receipt-key.pem', newReceiptKey))
  return typeof key === 'string' ? readReceiptKey(key) : key
}
