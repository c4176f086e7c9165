import type { Attention, Backlog } from '../../../../ledger/figures/operator-figures.ts'
import type { PaymentRow } from '../../../../ledger/payments/payment-row.ts'
import { formatUsd, groupDigits } from '../../../../payments/networks/usdc.ts'
import { type Html, html } from '../../../../values/html.ts'
import { ATTENTION_LIMIT, type Figures } from '../figures/figures.ts'
import { ageOf } from '../numbers.ts'
import { code, ifRead, table, tiles } from '../tables.ts'

export const stuckSection = ({ backlog, attention, at }: Figures): Html =>
  html`${ifRead(attention, (rows) => stuckRows(rows, at))}${ifRead(backlog, (value) => backlogTiles(value, at))}`

const doubtSince = ({ settlingAt, claimedAt }: PaymentRow) => settlingAt ?? claimedAt
const settledSince = ({ settledAt, claimedAt }: PaymentRow) => settledAt ?? claimedAt

function stuckRows({ inDoubt, missing, undelivered }: Attention, at: number): Html {
  const kinds = [
    {
      id: 'rows-in-doubt',
      title: 'In doubt',
      rows: inDoubt,
      since: doubtSince,
      todo: 'Wait: the recovery loop asks the chain. After ten minutes run "format-checker reconcile" and look at node and facilitator.',
    },
    {
      id: 'rows-missing',
      title: 'Missing on the chain',
      rows: missing,
      since: settledSince,
      todo: 'Look the transaction up in an explorer. If there is no transfer, ask the facilitator with the transaction and the nonce.',
    },
    {
      id: 'rows-undelivered',
      title: 'Paid, not delivered, last 7 days',
      rows: undelivered,
      since: settledSince,
      todo: 'The buyer can no longer fetch the answer. If the buyer asks, send the amount back to the payer by hand.',
    },
  ].filter(({ rows }) => rows.length > 0)
  if (kinds.length === 0) return html`<p>No payment needs attention.</p>`
  return html`${kinds.map(({ id, title, rows, since, todo }) => {
    const count = rows.length === ATTENTION_LIMIT ? `the first ${ATTENTION_LIMIT}` : String(rows.length)
    return html`<div class="rows" id="${id}"><h3>${title} <small>${count}</small></h3>
<p>${todo}</p>
${table(
  title,
  ['Payer', 'Amount', 'Check', 'State', 'Age', 'Transaction', 'Nonce'],
  rows.map((row) => [
    code(row.payer),
    formatUsd(row.amount),
    `${row.checkType}, ${row.surface}`,
    html`${row.state}${row.refusal !== null && html` <small>${row.refusal}</small>`}`,
    ageOf(at - since(row)),
    code(row.transaction ?? 'none'),
    code(row.nonce),
  ]),
)}</div>`
  })}`
}

function backlogTiles(backlog: Backlog, at: number): Html {
  const { inDoubt, inDoubtSince, settling, refused, claimed, auditMissing, auditPending } = backlog
  const oldest = inDoubtSince === null ? 'none' : `oldest: ${ageOf(at - inDoubtSince)}`
  return tiles([
    ['In doubt', groupDigits(inDoubt), oldest, inDoubt > 0 && 'is-watch'],
    ['In progress', groupDigits(settling), `settling; ${groupDigits(claimed)} claimed`],
    ['Refused', groupDigits(refused), 'still watched on the chain'],
    [
      'Missing on the chain',
      groupDigits(auditMissing),
      `${groupDigits(auditPending)} not looked up yet`,
      auditMissing > 0 && 'is-act',
    ],
  ])
}
