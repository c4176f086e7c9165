import { usdc } from '../../../../src/payments/networks/format-usdc.ts'
import { NETWORKS } from '../../../../src/payments/networks/networks.ts'
import { html } from '../../../../src/values/html.ts'
import { member, textOf } from '../buyer/json.ts'
import type { Statement, StatementPayment } from './statement.ts'

const HASH = /^0x[0-9a-f]{64}$/i

/** The statement to print and file: no value, no salt, no result. */
export function statementPage(statement: Statement): string {
  const { service, type, others = [], finishedAt, list, payments } = statement
  const types = new Set([type, ...others.map((other) => other.type)])
  const total = payments.reduce((sum, { amount }) => sum + BigInt(amount), 0n)
  const checked = payments.reduce((sum, { rows }) => sum + rows.length, 0)
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Statement ${finishedAt.slice(0, 10)}</title>
<style>body{font:14px/1.4 sans-serif;margin:2rem;max-width:60rem}table{border-collapse:collapse;width:100%}th,td{border:1px solid #999;padding:.3rem .5rem;text-align:left;overflow-wrap:anywhere}code{font-size:.85em}</style>
</head>
<body>
<h1>Statement of a checked list</h1>
<table>
<tr><th>Finished</th><td>${finishedAt}</td></tr>
<tr><th>Service</th><td>${service}</td></tr>
<tr><th>Checked</th><td>${checked} different values, ${[...types].join(', ')}, in ${list.file}</td></tr>
<tr><th>Paid</th><td>${usdc(total)} (${String(total)} atomic units; 1 USDC stands for 1 US dollar) in ${payments.length} payment${payments.length === 1 ? '' : 's'}</td></tr>
</table>
<h2>Payments</h2>
<table>
<tr><th>Date (UTC)</th><th>Values</th><th>USD</th><th>Atomic units</th><th>Payer</th><th>Paid to</th><th>Transaction</th><th>Receipt, signed by the service</th></tr>
${payments.map(paymentRow)}
</table>
<p>The service signed each receipt; "format-checker verify" proves them with the file that ends in .statement.json.</p>
</body>
</html>
`.markup
}

function paymentRow({ amount, payTo, settlement, rows }: StatementPayment) {
  const transaction = settlement?.transaction ?? ''
  // A service may have sent anything as the payer, also an object that looks like markup.
  const payer = textOf(member(settlement), 'payer')
  const signature = textOf(member(settlement, 'extensions', 'offer-receipt', 'info', 'receipt'), 'signature')
  const explorer = NETWORKS.find(({ id }) => id === settlement?.network)?.explorer
  return html`<tr><td>${issuedAt(signature)}</td><td>${rows.length}</td><td>${usdc(amount).replace(' USDC', '')}</td><td>${amount}</td><td>${payer}</td><td>${payTo ?? ''}</td><td>${
    explorer !== undefined && HASH.test(transaction)
      ? html`<a href="${explorer}/tx/${transaction}">${transaction}</a>`
      : transaction || 'answer lost'
  }</td><td><code>${signature}</code></td></tr>
`
}

/** The time in the signed part, as text; empty without a receipt. */
function issuedAt(signature: string): string {
  try {
    const { issuedAt: seconds } = JSON.parse(
      Buffer.from(signature.split('.')[1] ?? '', 'base64url').toString(),
    )
    return new Date(Number(seconds) * 1000).toISOString().replace('T', ' ').slice(0, 19)
  } catch {
    return ''
  }
}
