import { keyFile } from '../../files/key-file.ts'
import type { JwsKey } from '../../receipts/jws-key.ts'
import { newReceiptKey, readReceiptKey } from '../../receipts/receipt-key.ts'
import { type CardKey, cardKey, newCardKey, readCardKey } from '../../surfaces/a2a/card/card-key.ts'
import type { AppOptions } from '../options.ts'
import { keySource } from './key-source.ts'

/** The keys of a signer go before those of the settings, and these before generated ones. */
interface KeyOptions extends Pick<AppOptions, 'signer' | 'dataDir'> {
  readonly keys: Pick<AppOptions['keys'], 'cardKeyText' | 'receiptKeyText'>
}

export function openCardKey({ keys, signer, dataDir }: KeyOptions): CardKey {
  const kept = (directory: string) => keyFile(directory, 'a2a-card-key.pem', newCardKey)
  const key = keySource(signer?.card ?? keys.cardKeyText, dataDir, kept)
  return typeof key === 'string' ? readCardKey(key) : cardKey(key)
}

export const openReceiptKey = ({ keys, signer, dataDir }: KeyOptions): JwsKey =>
  signer?.receipt ?? loadReceiptKey(keys.receiptKeyText, dataDir)

export const loadReceiptKey = (given: string | null, dataDir: string | null): JwsKey =>
  readReceiptKey(
    keySource(given, dataDir, (directory) => keyFile(directory, 'receipt-key.pem', newReceiptKey)),
  )
