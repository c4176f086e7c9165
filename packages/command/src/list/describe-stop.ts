import { IN_DOUBT, INTERRUPTED, NOT_DONE } from '../../../../src/command-line/exit-codes.ts'
import { usdc } from '../../../../src/payments/networks/format-usdc.ts'
import type { Stop } from './list-payer.ts'
import { countFailures, type ListSummary } from './list-summary.ts'

/** Why a run ended early; `failed` means its input, output or journal. */
export type RunStop = Stop | { readonly kind: 'failed'; readonly message: string }

export function describeStop(stop: RunStop, out: string | null): string {
  const how =
    out === null
      ? 'With --out the list could be continued; without it a new run starts at the beginning.'
      : 'What was bought is kept beside the output. The same command continues, and pays for nothing twice.'
  switch (stop.kind) {
    case 'interrupted':
      return `Interrupted. ${how}`
    case 'max_spend':
      return `Stopped before the payment that would pass --max-spend. ${countedIn(stop)}${how}`
    case 'changed':
      return (
        'A payment of an earlier run cannot be sent again, since the input no longer has all of its values. ' +
        `Its state:\n${stop.state}`
      )
    case 'failed':
      return `Stopped: ${stop.message}. ${how}`
    case 'not_bought':
      return `${stop.words}\n${how}`
  }
}

const countedIn = ({ refused }: Extract<Stop, { kind: 'max_spend' }>): string =>
  refused === 0n
    ? ''
    : `${usdc(refused)} of it was signed for and, by the service's word, not charged: only the chain shows that. `

export function exitCodeOf(stop: RunStop | null, summary: ListSummary): number {
  if (stop === null) return countFailures(summary) === 0 ? 0 : NOT_DONE
  if (stop.kind === 'interrupted') return INTERRUPTED
  return stop.kind === 'changed' || summary.uncertain !== '0' ? IN_DOUBT : NOT_DONE
}
