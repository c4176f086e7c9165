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

/** The rows as a Markdown table. */
export function faultTable(rows: readonly (readonly [Row, Ending])[]): string {
  const cells = rows.map(([{ fault, on }, { first, repeated, charged, state, last }]) => [
    fault,
    on,
    first,
    repeated,
    String(charged),
    state,
    last,
  ])
  return markdownTable(HEAD, cells)
}

export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (parts: readonly string[]) => `| ${parts.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

/** The page that shows the table. */
export function faultPage(rows: readonly (readonly [Row, Ending])[]): string {
  const inside = rows.filter(([row]) => row.outside !== true)
  const outside = rows.filter(([row]) => row.outside === true)
  return `# Faults

The outcome of a sale when something fails or a client attacks it. Every row is a test (\`npm run test:faults\`): the
service runs in live mode as separate processes against a local chain, behind a facilitator and a node that fail as the
row says; processes are killed with SIGKILL at the named step. \`charged\` is counted on the chain, never in the ledger.
"On repetition" is the final answer to the same request, repeated while the answer is "later". "After recovery" is the
ledger's state once the chain has passed validBefore and the recovery loop has run; the last repetition follows that.
What each attack did before its correction: [security](security.md#corrections).

Over the rows of the first table, ${inside.length} of them: charged without an answer on repetition: 0. Answered without charge: 0.
Charged twice: 0.

${faultTable(inside)}

## Accepted losses

| loss | who bears it | how much | what limits it |
| --- | --- | --- | --- |
| The facilitator reports a settlement that it did not make, with \`SETTLEMENT_PROOF=facilitator\` (the default). | operator | the price of each such call, USD 0.001 | The audit of settled rows reports each missing transfer. \`SETTLEMENT_PROOF=chain\` prevents the loss. |
| The facilitator and the node lie together, or the node forges a whole payment with logs and receipt. | operator | the price of each such call, USD 0.001 | A node that the operator runs. |
| A reorganisation removes a transfer after its verdict left, with \`SETTLEMENT_DEPTH=0\` (the default). | operator | the price of each such call, USD 0.001 | The audit reports it. A higher \`SETTLEMENT_DEPTH\`, with \`SETTLEMENT_PROOF=chain\`, prevents it and makes sales slower. |
| A new authorization is answered from an earlier payment and leaves no row. It is repeated after the earlier answer was delivered, so it is sold as another call. | buyer | the price of one call, USD 0.001 | It can be charged until its validBefore only, at most seven minutes. A client that repeats the first authorization is not charged. |
| A payment is refused, and the buyer repeats it and pays with a new one at the same moment. | buyer | the price of one call, USD 0.001 | Each alone is charged once. |
| A reply leaves this machine in full and is lost on the network, and the buyer signs again instead of repeating. | buyer | the price of one call, USD 0.001 | The identical request is answered for an hour and is not charged. |
| A charged buyer does not come back within 24 hours, or within one hour after the first delivery. | buyer | the price of one call, USD 0.001 | Nothing: later the values can no longer be compared. |
| A store is lost or restored from an old backup. | buyer | the price of each call since the backup, until the buyer repeats it after \`reconcile --restored\` | A repeat before that is in doubt for a day, and not told to pay again; while nothing can be settled it gets \`facilitator_unavailable\`, which says that nothing was charged, and to repeat. \`format-checker reconcile --restored\` writes the rows again; each answers one call: the one that was repeated, or the first that brings the payment, which can be copied from the chain. |
| A payment is locked by 50 differing values of strangers; the buyer must sign again. | buyer | nothing: the new authorization is answered and not charged | |
| Settling ourselves: the gas of a transaction that reverts, or is replaced at a higher fee. | operator | at most \`SETTLEMENT_MAX_COST_USD\` a settlement, by default three times the price | Sales pause above it. Contract wallets are refused by default. |

One of them as a row of the same kind:

${faultTable(outside)}
`
}
