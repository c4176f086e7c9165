import { usdc } from '../../../../src/payments/networks/format-usdc.ts'
import { NETWORKS } from '../../../../src/payments/networks/networks.ts'
import { WORD } from '../../../../src/values/hex.ts'
import { html } from '../../../../src/values/html.ts'
import { member, textOf } from '../buyer/json.ts'
import { isLocal, networkTitle } from '../verify/network-title.ts'
import type { Statement, StatementPayment } from './statement.ts'

/** The statement to print and file: no value, no salt, no result. `lines`: of the input, first and last of each payment. */
export function statementPage(statement: Statement, lines: readonly (readonly number[])[]): string {
  const { service, finishedAt, input, output, list, keys, payments } = statement
  const types = new Set(list.columns.map(({ type }) => type))
  const checked = payments.reduce((sum, { cells }) => sum + cells.length, 0)
  const lost = payments.filter(({ settlement }) => settlement === null)
  const seller = textOf(member(keys), 'id', `did:web:${encodeURIComponent(new URL(service).host)}`)
  const networks = new Set(payments.map((payment) => networkTitle(networkOf(payment), seller)))
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Statement ${finishedAt.slice(0, 10)}</title>
<style>body{font:14px/1.4 sans-serif;margin:2rem;max-width:60rem}table{border-collapse:collapse;width:100%}th,td{border:1px solid #999;padding:.3rem .5rem;text-align:left;overflow-wrap:anywhere}code{font-size:.85em;overflow-wrap:anywhere}</style>
</head>
<body>
<h1>${isLocal(seller) ? 'Sandbox: no real money. ' : ''}Statement of a checked list</h1>
<table>
<tr><th>Finished</th><td>${finishedAt}</td></tr>
<tr><th>Seller</th><td>${service} ${seller}</td></tr>
<tr><th>Network</th><td>${[...networks].join(', ')}</td></tr>
<tr><th>Input</th><td>${fileInWords(input)}</td></tr>
<tr><th>Output</th><td>${fileInWords(output)}</td></tr>
<tr><th>Checked</th><td>${checked} different values, ${[...types].join(', ')}</td></tr>
<tr><th>Paid</th><td>${sumInWords(payments.filter(({ settlement }) => settlement !== null))}</td></tr>
${lost.length > 0 && html`<tr><th>Without a receipt</th><td>${sumInWords(lost)}, answers lost</td></tr>\n`}</table>
<h2>Payments</h2>
<table>
<tr><th>Date (UTC)</th><th>Values</th><th>Lines of the input</th><th>USD</th><th>Payer</th><th>Paid to</th><th>Transaction</th></tr>
${payments.map((payment, at) => paymentRow(payment, lines[at] ?? [], isLocal(seller)))}</table>
<h2>Receipts, signed by the service</h2>
${payments.map((payment) => html`<details><summary>${payment.settlement?.transaction || 'answer lost'}</summary><code>${signatureOf(payment)}</code></details>\n`)}
<p>"format-checker verify FILE.statement.json --url ${service}" proves them, with the file that ends in .statement.json.</p>
</body>
</html>
`.markup
}

const fileInWords = ({ file, sha256 }: Statement['input']): string =>
  `${file}, SHA-256 ${sha256 ?? 'not known'}`

function sumInWords(payments: readonly StatementPayment[]): string {
  const total = payments.reduce((sum, { amount }) => sum + BigInt(amount), 0n)
  return `${usdc(total)} (${total} atomic units; 1 USDC stands for 1 US dollar) in ${payments.length} payment${payments.length === 1 ? '' : 's'}`
}

// A service may have sent anything, also an object that looks like markup.
const networkOf = ({ settlement, authorization }: StatementPayment): string =>
  textOf(member(settlement ?? authorization), 'network')
const signatureOf = ({ settlement }: StatementPayment): string =>
  textOf(member(settlement, 'extensions', 'offer-receipt', 'info', 'receipt'), 'signature')

function paymentRow(payment: StatementPayment, lines: readonly number[], isSandbox: boolean) {
  const { amount, payTo, settlement, authorization, cells } = payment
  const transaction = settlement?.transaction ?? ''
  const payer = textOf(member(settlement ?? authorization), 'payer')
  const explorer = NETWORKS.find(({ id }) => id === networkOf(payment))?.explorer
  return html`<tr><td>${issuedAt(signatureOf(payment))}</td><td>${cells.length}</td><td>${[...new Set(lines)].join(' to ')}</td><td>${usdc(amount).replace(' USDC', '')}</td><td>${payer}</td><td>${payTo ?? ''}</td><td>${
    explorer !== undefined && !isSandbox && WORD.test(transaction)
      ? html`<a href="${explorer}/tx/${transaction}">${transaction}</a>`
      : transaction || 'answer lost'
  }</td></tr>
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
