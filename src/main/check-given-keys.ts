import { ConfigError } from '../config.ts'
import { readFormerReceiptKey, readReceiptKey } from '../receipts/receipt-key.ts'
import { readCardKey, readFormerCardKey } from '../surfaces/a2a/card/card-key.ts'

/** Throws {@link ConfigError} with a line for each invalid key, never quoting it. */
export function checkGivenKeys(keys: {
  readonly cardKey?: string | null
  readonly receiptKey?: string | null
  readonly cardKeyPrevious?: string | null
  readonly receiptKeyPrevious?: string | null
}): void {
  const faults = [
    ...faultOf('CARD_KEY', keys.cardKey, readCardKey),
    ...faultOf('RECEIPT_KEY', keys.receiptKey, readReceiptKey),
    ...faultOf('CARD_KEY_PREVIOUS', keys.cardKeyPrevious, readFormerCardKey),
    ...faultOf('RECEIPT_KEY_PREVIOUS', keys.receiptKeyPrevious, readFormerReceiptKey),
  ]
  if (faults.length > 0) throw new ConfigError(faults)
}

function faultOf(name: string, key: string | null | undefined, read: (key: string) => unknown): string[] {
  if (key === null || key === undefined) return []
  try {
    read(key)
    return []
  } catch (error) {
    return [`${name}: ${(error as Error).message}`]
  }
}
