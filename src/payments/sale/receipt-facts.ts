import { createHash } from 'node:crypto'
import type { PaymentRow } from '../../ledger/ledger.ts'
import type { Items, ReceiptFacts, ValueCall, Verdicts } from '../sale.ts'

const SALT_BYTES = 16

const sha256 = (...parts: readonly (string | Buffer)[]): Buffer => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

const jsonOf = <T>(shape: ValueCall['shape'], parts: readonly T[]): string =>
  JSON.stringify(shape === 'single' ? parts[0] : parts)

/** SHA-256 of what was asked, as JSON: `{"type","value"}`, or an array of these for a list. */
export const requestDigest = (shape: ValueCall['shape'], items: Items): Buffer =>
  sha256(
    jsonOf(
      shape,
      items.map(({ skill, value }) => ({ type: skill.id, value })),
    ),
  )

/**
 * What a receipt of a settled row says of the sale. The salt follows from the row's own, so that every repetition in
 * the replay window is equal; without it the request hash tells nothing of the value.
 */
export function receiptFacts(
  { amount, salt }: Pick<PaymentRow, 'amount' | 'salt'>,
  sale: {
    readonly shape: ValueCall['shape']
    readonly requestDigest: Buffer
    readonly verdicts: Verdicts
  },
): ReceiptFacts | undefined {
  if (salt === null) return undefined
  const requestSalt = sha256('receipt', salt).subarray(0, SALT_BYTES)
  return {
    amount: amount.toString(),
    requestSalt: requestSalt.toString('hex'),
    requestHash: sha256(requestSalt, sale.requestDigest).toString('hex'),
    resultHash: sha256(jsonOf(sale.shape, sale.verdicts)).toString('hex'),
  }
}
