import { printableJson } from '../../command-line/terminal-text.ts'
import type { PaymentRow } from '../../ledger/payments/payment-row.ts'
import type { IncomingTransfer } from '../../payments/chain/chain-reader.ts'
import type { Restored } from '../../payments/recovery/restore-lost-sales.ts'
import type { Recovery } from '../../payments/recovery/run-recovery.ts'

export interface Findings {
  /** Null if payments were not restored. */
  readonly restored: Restored | null
  readonly recovery: Recovery
  readonly missing: readonly PaymentRow[]
  readonly unknown: readonly IncomingTransfer[]
}

/** Said if the node stops answering before everything was asked. */
export const NODE_STOPPED = 'The node at RPC_URL stopped answering; run it again.'

/** True if the chain answered for every payment and transfer. */
export const isComplete = ({ recovery: { reconciled, audited, scanned } }: Findings): boolean =>
  reconciled.complete && audited.complete && scanned.complete

/** The findings as one object of JSON; amounts are atomic units in decimal text. */
export const findingsJson = ({ recovery, restored, missing, unknown }: Findings): string =>
  printableJson({
    ...recovery,
    restored,
    missing: missing.map(({ payer, nonce, transaction }) => ({ payer, nonce, transaction })),
    unknown: unknown.map(({ from: payer, amount, transaction }) => ({ payer, amount, transaction })),
  })

export const describeRestored = ({ restored, ignored }: Restored): string =>
  [
    'payments since the backup',
    `  restored ${restored}  written from the chain; each answers its buyer`,
    `  ignored  ${ignored}  transfers that are not payments for a check`,
  ].join('\n')

export function describeFindings(findings: Findings): string {
  const { restored, recovery, missing, unknown } = findings
  const { reconciled, audited } = recovery
  return [
    ...(restored === null ? [] : [describeRestored(restored)]),
    'doubtful payments',
    `  settled  ${reconciled.settled}  found on the chain; their buyers get the answer if they repeat the request`,
    `  void     ${reconciled.void}  not charged, and expired`,
    `  open     ${reconciled.open}  not certain yet`,
    'settled payments',
    `  found    ${audited.found}  their transfer is on the chain`,
    `  missing  ${audited.missing}  answered on the facilitator's word, and no transfer came`,
    ...missing.map(({ payer, transaction }) => `             ${payer} ${transaction}`),
    `  open     ${audited.open}  too early to tell`,
    'transfers to PAY_TO without a row',
    `  found    ${unknown.length}  money that no payment of this ledger accounts for`,
    ...unknown.map(({ from, transaction }) => `             ${from} ${transaction}`),
    ...(isComplete(findings) ? [] : [NODE_STOPPED]),
  ].join('\n')
}
