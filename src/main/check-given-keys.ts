import { formerPublicKeys } from '../app/keys/former-keys.ts'
import { ConfigError } from '../config.ts'
import { readReceiptKey } from '../receipts/receipt-key.ts'
import { readCardKey } from '../surfaces/a2a/card/card-key.ts'

/** Throws {@link ConfigError} with a line for each invalid key, never quoting it. */
export function checkGivenKeys(keys: {
  readonly cardKeyText?: string | null
  readonly receiptKeyText?: string | null
  readonly formerKeys?: string | null
}): void {
  const faults = [
    ...faultOf('CARD_KEY', keys.cardKeyText, readCardKey),
    ...faultOf('RECEIPT_KEY', keys.receiptKeyText, readReceiptKey),
    ...faultOf('FORMER_KEYS', keys.formerKeys, formerPublicKeys),
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
