import { csvTable } from '../../../scripts/csv-table.ts'
import type { ChannelEnding, ChannelFaultRow } from './channel-row.ts'

type Rows = readonly (readonly [ChannelFaultRow, ChannelEnding])[]

const HEAD = ['fault', 'service', 'first', 'on repetition', 'answered', 'charged', 'the next call']

const cellsOf = (rows: Rows) =>
  rows.map(([{ fault, on }, { first, repeated, answered, charged, next }]) => [
    ...[fault, on, first, repeated],
    ...[String(answered), String(charged), next],
  ])

/** For docs/evidence/faults-channels.csv: what keeps the promise, then the accepted losses. */
export const channelFaultRows = (rows: Rows): string =>
  csvTable(
    HEAD,
    cellsOf(rows.toSorted(([one], [other]) => Number(one.outside ?? 0) - Number(other.outside ?? 0))),
  )

/** The page that shows what becomes of payment channels under faults. */
export function channelFaultPage(rows: Rows): string {
  const inside = rows.filter(([row]) => row.outside !== true)
  return `---
reader: reviewers
---
# Faults of payment channels

If an answer over a [payment channel](../channels.md) does not arrive, repeat the same call. Over these ${inside.length} faults: charged twice: 0.
Charged without an answer: 0. Answered without a charge: 0. Channels that the next call could not use: 0. Deposits taken twice:
0. Claimed beyond a signed voucher: 0.

Every row, and the loss below it, is a test (\`npm run test:faults\`), as for [single payments](faults.md), with stand-in contracts on a local chain. The
buyer is the stock client of \`@x402/evm\`, unless the row names another. After the fault it buys one more call and takes the
rest of its deposit back.

- **answered**: values answered with a verdict, the first and last call of the channel included; a reply lost on the network counts.
- **charged**: how often the price of one value has left the buyer for good, counted on the chain.
- Each row also requires one deposit (another only after a refund), claims equal to charges, and an empty contract at the end.

## Outcomes

[One table, a fault a row](faults-channels.csv). Its last row is not one of the ${inside.length}, but the first of the losses below.

## Accepted losses

| loss | who bears it | how much | what limits it |
| --- | --- | --- | --- |
| A store is restored from a backup, and calls since then were charged and not claimed. | operator | the price of each such call | Claims every six hours, and the bound on what is not claimed: USD 5 for one channel, USD 50 for all. What was claimed counts as charged. |
| A payer withdraws while no claim is mined for a day. | operator | what is charged and not claimed | The same bound; a withdrawal is claimed from at once. |
| A reply is lost, and the client pays for another call instead of repeating. | buyer | the price of the lost call | The refusal 409 names the voucher that was charged. The same call again is answered and not charged. |
| A buyer asks for a refund after each call. | operator | the gas of one refund for each call | One refund for each voucher. |
`
}
