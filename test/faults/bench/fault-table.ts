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
  const line = (parts: readonly string[]) => `| ${parts.join(' | ')} |`
  return [line(HEAD), line(HEAD.map(() => '---')), ...cells.map(line)].join('\n')
}

/** The page that shows the table. */
export function faultPage(rows: readonly (readonly [Row, Ending])[]): string {
  const inside = rows.filter(([row]) => row.outside !== true)
  const outside = rows.filter(([row]) => row.outside === true)
  return `# Faults

What becomes of a sale when something fails. Every row is a test (\`npm run test:faults\`): the service runs in live mode
as processes of its own against a local chain, behind a facilitator and a node that fail as told; processes are killed
with SIGKILL at the named step. \`charged\` is counted on the chain, never in the ledger. "On repetition" is what the same
request brings when it is sent until it is answered with something else than "later". "After recovery" is the ledger's
state once validBefore has passed on the chain and the recovery loop has run; the last repetition comes after that.

Over the rows of the first table, ${inside.length} of them: charged without an answer on repetition: 0. Answered without charge: 0.
Charged twice: 0.

${faultTable(inside)}

## Accepted losses

With \`SETTLEMENT_PROOF=facilitator\`, the default, the facilitator's word releases the verdict: one that lies costs the price
of the calls it lies about, until the audit of settled payments against the chain finds the transfer missing and says so.
\`SETTLEMENT_PROOF=chain\` closes that. Where the facilitator and the node lie together, or the facilitator is silent and the
node makes up a whole payment with its logs and receipt, there is nobody left to ask; that loss is accepted too.

${faultTable(outside)}
`
}
