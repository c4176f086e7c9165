import type { ChannelEnding, ChannelFaultRow } from './channel-row.ts'
import { markdownTable } from './fault-table.ts'

type Rows = readonly (readonly [ChannelFaultRow, ChannelEnding])[]

const HEAD = ['fault', 'service', 'first', 'on repetition', 'answered', 'charged', 'the next call']

const channelTable = (rows: Rows): string =>
  markdownTable(
    HEAD,
    rows.map(([{ fault, on }, { first, repeated, answered, charged, next }]) => [
      ...[fault, on, first, repeated],
      ...[String(answered), String(charged), next],
    ]),
  )

/** The page that shows what becomes of payment channels under faults. */
export function channelFaultPage(rows: Rows): string {
  const inside = rows.filter(([row]) => row.outside !== true)
  const outside = rows.filter(([row]) => row.outside === true)
  return `# Faults of payment channels

The outcome of calls over a [payment channel](channels.md) when something fails. Every row is a test
(\`npm run test:faults\`), as in the [table of single payments](faults.md): the service runs in live mode as separate
processes against a local chain with stand-in contracts, and processes are killed with SIGKILL at the named step. The buyer
is the stock client of \`@x402/evm\`, unless the row names another one.

"First" is the outcome of the faulty act, and "on repetition" that of the same act, repeated while the answer is "later".
Then the same client buys one more call, which shows that its channel is not bricked, and takes the rest of its deposit
back. \`answered\` counts the values that the service answered with a verdict, those of the first and the last call of the
channel included; a reply that is lost on the network counts. \`charged\` is how many times the price of one value has left
the buyer for good, counted on the chain. Each row also requires that one deposit was taken (another one only after a
refund), that what was claimed is what the store has charged, that nothing is left in the contract, and that no more was
claimed than the buyer has signed for.

Over the rows of the first table, ${inside.length} of them: charged twice: 0. Charged without an answer: 0. Answered without charge: 0.
Channels that the next call could not use: 0. Deposits taken twice: 0. Claimed beyond a signed voucher: 0.

${channelTable(inside)}

## Accepted losses

| loss | who bears it | how much | what limits it |
| --- | --- | --- | --- |
| A store is restored from a backup, and calls since then were charged and not claimed. | operator | the price of each such call | Claims every six hours, and the bound on what is not claimed: USD 5 for one channel, USD 50 for all. What was claimed counts as charged. |
| A payer withdraws while no claim is mined for a day. | operator | what is charged and not claimed | The same bound; a withdrawal is claimed from at once. |
| A reply is lost, and the client pays for another call instead of repeating. | buyer | the price of the lost call | The refusal 409 names the voucher that was charged. The same call again is answered and not charged. |
| A buyer asks for a refund after each call. | operator | the gas of one refund for each call | One refund for each voucher. |

One of them as a row of the same kind:

${channelTable(outside)}
`
}
