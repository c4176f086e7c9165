import { randomBytes } from 'node:crypto'
import type { NewPayment } from '../../src/ledger/payments/new-payment.ts'

/** A claim as `sell` writes it, with a fresh nonce. */
export function newPayment(change: Partial<NewPayment> = {}): NewPayment {
  return {
    network: 'eip155:8453',
    asset: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913',
    payer: `0x${'a'.repeat(40)}`,
    nonce: `0x${randomBytes(32).toString('hex')}`,
    amount: 1000n,
    payTo: `0x${'b'.repeat(40)}`,
    origin: 'sale',
    validBefore: 2_000_000_000,
    owner: 'boot-1',
    leaseUntil: 30_000,
    surface: 'rest',
    checkType: 'iban',
    ruleset: 'iban:swift-r102',
    shape: 'single',
    items: 1,
    salt: randomBytes(16),
    binding: randomBytes(32),
    bindingKey: 'binding-key/1970-01-01T00',
    signatureMac: null,
    identifier: null,
    taskKey: null,
    claimedAt: 1_000,
    claimedBlock: null,
    settlingAt: null,
    ...change,
  }
}
