import { csvTable } from '../../../scripts/csv-table.ts'
import type { Ending, Row } from './row.ts'

const HEAD = [
  'fault',
  'service',
  'first answer',
  'on repetition',
  'charged',
  'after recovery',
  'a last repetition',
]

type Rows = readonly (readonly [Row, Ending])[]

const cellsOf = (rows: Rows) =>
  rows.map(([{ fault, on }, { first, repeated, charged, state, last }]) => [
    ...[fault, on, first, repeated],
    ...[String(charged), state, last],
  ])

export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (parts: readonly string[]) => `| ${parts.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

/** The table of what keeps the promise, for docs/evidence/faults.csv. */
export const faultRows = (rows: Rows): string =>
  csvTable(HEAD, cellsOf(rows.filter(([row]) => row.outside !== true)))

/** The page beside the table. */
export function faultPage(rows: Rows): string {
  const inside = rows.filter(([row]) => row.outside !== true)
  const outside = rows.filter(([row]) => row.outside === true)
  return `---
reader: reviewers
---
# Faults

If an answer does not arrive, repeat the identical request with the identical payment: under each of these ${inside.length} faults that
ends with the verdict, or without a charge. Charged without an answer: 0. Answered without a charge: 0. Charged twice: 0. What
is not covered: [accepted losses](#accepted-losses).

Every row is a test (\`npm run test:faults\`). The service runs in live mode as separate processes against a local chain,
behind a facilitator and a node that fail as the row says; SIGKILL hits it at the named step.

- **on repetition**: the final answer to the same request, repeated while the answer is "later".
- **charged**: counted on the chain, never in the ledger.
- **after recovery**: the ledger's state once the chain has passed validBefore and the recovery has run; the last repetition
  follows that.

## Outcomes

[All of them, a fault a row](faults.csv).

## Accepted losses

| loss | who bears it | how much | what limits it |
| --- | --- | --- | --- |
| The facilitator reports a settlement it did not make; \`SETTLEMENT_PROOF=facilitator\` (default). | operator | USD 0.001 a call | The audit reports each one; \`SETTLEMENT_PROOF=chain\` prevents it. |
| Facilitator and node lie together, or the node forges a payment with logs and receipt. | operator | USD 0.001 a call | A node of the operator's own. |
| A reorganisation removes a transfer after its verdict left. | operator | USD 0.001 a value | The audit reports it. |
| A new authorization was answered from an earlier payment, and is repeated after that answer was delivered: it is sold as another call. | buyer | the price of one call | Until its validBefore, at most seven minutes. Repeating the first authorization is never charged. |
| A payment is refused; the buyer repeats it and pays with a new one at the same moment. | buyer | the price of one call | Each alone is charged once. |
| A reply is lost on the network, and the buyer signs again instead of repeating. | buyer | the price of one call | The identical request is answered for an hour, uncharged. |
| A charged buyer does not come back within 24 hours, or one hour after the first delivery. | buyer | the price of one call | Nothing: later, values can no longer be compared. |
| A store is lost, or restored from an old backup. | buyer | each call since the backup, until it is repeated after \`reconcile --restored\` | Before that a repeat is in doubt for a day and is not asked to pay again; while nothing can be settled it gets \`facilitator_unavailable\`, which says so. Each restored row answers one call: the repeated one, or the first that brings the payment, which can be copied from the chain. |
| A payment is locked by 50 differing values of strangers. | buyer | nothing: a new authorization is answered uncharged | |
| Settling ourselves: gas and data fee of a transaction that reverts, is replaced, or costs more than it brings in, and of a first deposit on credit. | operator | at most \`SETTLEMENT_DAILY_LOSS_USD\` a day over all replicas, by default USD 5, beside data fees that rise after signing | Sales pause there, and while one costs more than \`SETTLEMENT_MAX_COST_USD\`; \`treasury_units\` shows each; contract wallets are refused by default. |

One of them as a row of the same kind:

<!-- begin: outside -->
${markdownTable(HEAD, cellsOf(outside))}
<!-- end: outside -->
`
}
