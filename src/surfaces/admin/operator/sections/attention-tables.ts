/** The rows behind the numbers, each kind with what to do about it. */
import { type Html, html } from '../../../../http/body/html.ts'
import type { Attention } from '../../../../ledger/operator-figures.ts'
import type { PaymentRow } from '../../../../ledger/payment-row.ts'
import { ageOf } from '../numbers.ts'
import { formatUsd } from '../usd.ts'

interface Kind {
  readonly id: string
  readonly title: string
  readonly rows: readonly PaymentRow[]
  /** Since when the row is in this state; UTC milliseconds. */
  readonly since: (row: PaymentRow) => number
  readonly todo: string
}

/** A table for each kind that has rows, or one sentence if no kind has. */
export function attentionTables(
  { inDoubt, missing, undelivered }: Attention,
  at: number,
  limit: number,
): Html {
  const kinds: readonly Kind[] = [
    {
      id: 'rows-in-doubt',
      title: 'In doubt',
      rows: inDoubt,
      since: ({ settlingAt, claimedAt }) => settlingAt ?? claimedAt,
      todo: 'Wait: the recovery loop asks the chain. After ten minutes run "format-checker reconcile" and look at node and facilitator.',
    },
    {
      id: 'rows-missing',
      title: 'Missing on the chain',
      rows: missing,
      since: ({ settledAt, claimedAt }) => settledAt ?? claimedAt,
      todo: 'Look the transaction up in an explorer. If there is no transfer, ask the facilitator with the transaction and the nonce.',
    },
    {
      id: 'rows-undelivered',
      title: 'Paid, not delivered, last 7 days',
      rows: undelivered,
      since: ({ settledAt, claimedAt }) => settledAt ?? claimedAt,
      todo: 'The buyer can no longer fetch the answer. If the buyer asks, send the amount back to the payer by hand.',
    },
  ]
  const found = kinds.filter(({ rows }) => rows.length > 0)
  if (found.length === 0) return html`<p>No payment needs attention.</p>`
  return html`${found.map((kind) => table(kind, at, limit))}`
}

function table({ id, title, rows, since, todo }: Kind, at: number, limit: number): Html {
  const count = rows.length === limit ? `the first ${limit}` : String(rows.length)
  return html`<div class="rows" id="${id}"><h3>${title} <small>${count}</small></h3>
<p>${todo}</p>
<div class="scroll" tabindex="0" role="region" aria-label="${title}"><table><thead><tr><th scope="col">Payer</th><th scope="col">Amount</th><th scope="col">Check</th><th scope="col">State</th><th scope="col">Age</th><th scope="col">Transaction</th><th scope="col">Nonce</th></tr></thead><tbody>
${rows.map(
  (
    row,
  ) => html`<tr><th scope="row"><code>${row.payer}</code></th><td>${formatUsd(row.amount)}</td><td>${row.checkType}, ${row.surface}</td><td>${row.state}${row.refusal !== null && html` <small>${row.refusal}</small>`}</td><td>${ageOf(at - since(row))}</td><td><code>${row.transaction ?? 'none'}</code></td><td><code>${row.nonce}</code></td></tr>
`,
)}</tbody></table></div></div>`
}
