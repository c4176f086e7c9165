import type { PaymentRequirements } from '@x402/core/types'
import { IN_DOUBT, NOT_DONE } from '../../../../src/command-line/exit-codes.ts'
import { printable } from '../../../../src/command-line/terminal-text.ts'
import { usdc } from '../../../../src/payments/networks/format-usdc.ts'
import type { PurchaseOutcome, TermsOutcome } from '../buyer/purchase.ts'
import { describeVerdict } from '../describe-verdict.ts'

type Outcome = PurchaseOutcome | TermsOutcome

export const isGood = ({ kind }: Outcome): boolean => kind === 'bought' || kind === 'terms'

export function exitCode(outcome: Outcome): number {
  if (isGood(outcome)) return 0
  return outcome.kind === 'in_doubt' ? IN_DOUBT : NOT_DONE
}

/**
 * The outcome in words for a person. `hasReceipt`: whether a signed receipt says the same of a sale. Words of the service cannot
 * begin a line of their own.
 */
export function describe(outcome: Outcome, hasReceipt = false): string {
  switch (outcome.kind) {
    case 'bought': {
      const { verdict, settlement, replayed, amount } = outcome
      const paid = replayed ? 'answered from an earlier payment, not charged again' : `paid ${usdc(amount)}`
      return [
        ...describeVerdict(verdict),
        hasReceipt ? paid : `the service says: ${paid}; nothing proves it`,
        ...(settlement.transaction === '' ? [] : [printable(`transaction ${settlement.transaction}`)]),
      ].join('\n')
    }
    case 'terms':
      return `${describeTerms(outcome.terms)}\nNothing was signed.`
    case 'price_too_high':
      return outcome.terms === null
        ? 'The service offers no terms in USDC on the network of --network that are safe to sign. Nothing was signed.'
        : `The price, ${usdc(outcome.terms.amount)}, is above --max-price. Nothing was signed.`
    case 'refused':
      return [
        printable(`${outcome.code}: ${outcome.detail}`),
        ...(outcome.code === 'payment_insufficient_funds' && 'payer' in outcome
          ? [
              printable(
                `The paying account is ${outcome.payer}: send USDC to it, on the network of --network.`,
              ),
            ]
          : []),
      ].join('\n')
    case 'unreachable':
      return `No readable answer from ${outcome.url}. Nothing was signed.`
    case 'clocks_differ':
      return (
        `The clock of this machine says ${outcome.own}, that of the service ${outcome.service}. Nothing was signed: ` +
        'the payment would be valid too long, or not at all. Set the clock, and run the command again.'
      )
    case 'in_doubt':
      return [
        `It is not known whether this was paid. ${printable(outcome.detail)}`,
        'Run the same command again within ten minutes: you are not charged twice for it. Later, look first at ' +
          'the state of the payment:',
        outcome.state,
      ].join('\n')
  }
}

export function describeTerms({
  amount,
  network,
  asset,
  payTo,
  maxTimeoutSeconds,
}: PaymentRequirements): string {
  return [
    `price    ${usdc(amount)}`,
    `network  ${network}`,
    `asset    ${asset}`,
    `pay to   ${payTo}`,
    `valid    ${maxTimeoutSeconds} s after signing`,
  ].join('\n')
}
