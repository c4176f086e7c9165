import type { Outcome } from './cases.ts'

export interface Compared {
  readonly failure: string
  readonly stock: Outcome
  readonly ours: Outcome
}

const isLost = ({ first, repeated, charged }: Outcome): boolean =>
  charged > 0 && !first.includes('verdict') && !repeated.includes('verdict')
const isTwice = ({ charged }: Outcome): boolean => charged > 1

const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
const cells = ({ first, repeated, charged }: Outcome) => [first, repeated, String(charged)]

/** docs/evidence/stock.md: the failures of a seller, played against the stock middleware and this service in one run. */
export function stockPage(rows: readonly Compared[]): string {
  const count = (rule: (outcome: Outcome) => boolean, side: 'stock' | 'ours') =>
    rows.filter((row) => rule(row[side])).length
  const head = ['failure', 'stock: first', 'stock: then', 'charged', 'ours: first', 'ours: then', 'charged']
  return `---
reader: reviewers
---
# The stock middleware under the same failures

\`@x402/express\` 2.27 as its documentation shows it, and this service, sell the same check at the same terms to the same
kind of buyer; both are processes in front of one facilitator and one local chain. Each row is played against both in
one run (\`test/faults/stock-cases.test.ts\`). "Then" is the answer in the end to the same request, repeated while the
answer is "later" (503, 502, 429, or no answer), except where the row says that the client signs again. \`charged\` is
counted on the chain.

| over these ${rows.length} rows | stock | ours |
| --- | --- | --- |
| charged, and no verdict in the end | ${count(isLost, 'stock')} | ${count(isLost, 'ours')} |
| charged twice for one call | ${count(isTwice, 'stock')} | ${count(isTwice, 'ours')} |

## Outcomes

<!-- begin: outcomes -->
${line(head)}
${line(head.map(() => '---'))}
${rows.map(({ failure, stock, ours }) => line([failure, ...cells(stock), ...cells(ours)])).join('\n')}
<!-- end: outcomes -->

## Why

The stock middleware ends there because it knows nothing of a payment before or after its request, so a repeat goes to the
facilitator, which says that the authorization is used; that, and any settlement whose outcome is unknown, is answered
402, which tells a client to sign again. A hook that throws is warned about, and the payment goes on. A payment
identifier is declared and not looked up. It is meant to be built upon; this service uses the same packages below that
middleware ([payments](sale-states.md)).

The stock client's own limit of 90 seconds for a facilitator is 5 in the row in which the facilitator never answers.
`
}
