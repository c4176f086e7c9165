import { type Html, html } from '../../values/html.ts'
import { millionths } from '../../values/millionths.ts'
import { utcTime } from '../../values/utc-time.ts'
import { isPaid, type Statement, type StatementPayment } from './format.ts'

export interface NetworkWords {
  readonly title: string
  /** Null where a link would show another transaction, or none. */
  readonly explorer: string | null
  readonly isSandbox: boolean
}

export interface PageOptions {
  readonly answers: readonly AnswerCounts[]
  /** `id` by CAIP-2, `kid` of the service. */
  readonly networkInWords: (id: string, kid: string) => NetworkWords
  readonly file: string
}

export interface AnswerCounts {
  readonly valid: number
  readonly invalid: number
  readonly rulesets: readonly string[]
}

/** Counts the answers of each payment; a service may have sent anything. */
export const countAnswers = (payments: Iterable<unknown>): readonly AnswerCounts[] =>
  Array.from(payments, (payment) => {
    const answers: readonly unknown[] = Array.isArray(payment) ? payment : []
    const valid = answers.filter((answer) => memberOf(answer, 'valid') === true).length
    const rulesets = new Set(answers.map((answer) => textIn(answer, 'details', 'ruleset')))
    return { valid, invalid: answers.length - valid, rulesets: [...rulesets].filter((name) => name !== '') }
  })

/** The statement to print and file: no value, no salt, no result. */
export function statementPage(statement: Statement, options: PageOptions): string {
  const { service, finishedAt, input, output, list, keys, payments } = statement
  const seller = textIn(keys, 'id') || `did:web:${encodeURIComponent(new URL(service).host)}`
  const printed = printedPayments(statement, options, seller)
  const lost = payments.filter((payment) => !isPaid(payment))
  const { isSandbox = false } = printed.find(({ network }) => network.isSandbox)?.network ?? {}
  const [valid, invalid] = [sumOf(printed, 'valid'), sumOf(printed, 'invalid')]
  const unique = (of: (each: PrintedPayment) => string) =>
    [...new Set(printed.map(of))].filter(Boolean).join(', ')
  const facts: readonly (readonly [string, string])[] = [
    ['Finished', finishedAt],
    ['Seller', `${service} ${seller}`],
    ['Payer', unique(({ payer }) => payer)],
    ['Payee', unique(({ payTo }) => payTo)],
    ['Network', unique(({ network }) => network.title)],
    ['Issued', spanOf(printed.flatMap(({ issued }) => issued || []).toSorted())],
    ['Paid', sumInWords(payments.filter(isPaid))],
    ...(lost.length === 0 ? [] : [['Without a receipt', `${sumInWords(lost)}, answers lost`] as const]),
    ['Input', fileInWords(input)],
    ...(list.sheet === null ? [] : [['Sheet', list.sheet] as const]),
    [
      'Checked',
      list.columns
        .map(({ type, column }) => (column === null ? type : `${type} in column ${column}`))
        .join('; '),
    ],
    ['Different values', `${valid + invalid}: ${valid} valid, ${invalid} not valid`],
    ['Cells left out', leftOutInWords(list.leftOut)],
    ['Ruleset', [...new Set(options.answers.flatMap(({ rulesets }) => rulesets))].join(', ')],
    ['Output', fileInWords(output)],
  ]
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Statement ${finishedAt.slice(0, 10)}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>${isSandbox && 'Sandbox: no real money. '}Statement of a checked list</h1>
<table>
${facts.map(([name, text]) => html`<tr><th>${name}</th><td>${text}</td></tr>\n`)}</table>
<h2>Payments</h2>
<table class="figures">
<tr><th>No.</th><th>Issued (UTC)</th><th>Values</th><th>Valid</th><th>Not valid</th><th>Rows</th><th>USDC</th></tr>
${printed.map(paymentRow)}</table>
<h2>Receipts, signed by the service</h2>
${printed.map(receiptOf)}
<h2>How to verify</h2>
<p>With the file ${options.file}, which holds the values and stays with the buyer: <code>format-checker verify ${options.file} --out proved.csv --url ${service}</code> writes the list of values and answers that the receipts prove. Only that list is evidence. Column, sheet, cells left out and the hashes of the files are the buyer's own words.</p>
<h2>What this is not</h2>
<p>This is no invoice. It names no legal persons, no tax numbers and no VAT; payer and payee are accounts on a network. Ask the seller for an invoice with its legal name, address and VAT number, the VAT rate and your own name, and give the transactions above.</p>
</body>
</html>
`.markup
}

/** Long texts may break anywhere, figures nowhere. */
const STYLE =
  'body{font:14px/1.4 sans-serif;margin:2rem;max-width:60rem}table{border-collapse:collapse;width:100%}th,td{border:1px solid #999;padding:.3rem .5rem;text-align:left;overflow-wrap:anywhere}th{white-space:nowrap}.figures td{white-space:nowrap;text-align:right}code{font-size:.8em;overflow-wrap:anywhere}.receipt{break-inside:avoid;margin:0 0 1rem}'

interface PrintedPayment extends Omit<AnswerCounts, 'rulesets'> {
  readonly number: number
  readonly values: number
  readonly amount: bigint
  /** Empty without a receipt. */
  readonly issued: string
  readonly payer: string
  readonly payTo: string
  readonly rows: string
  readonly transaction: string
  readonly signature: string
  readonly network: NetworkWords
}

function printedPayments(
  { payments, list }: Statement,
  { answers, networkInWords }: PageOptions,
  seller: string,
): readonly PrintedPayment[] {
  const left = answers[Symbol.iterator]()
  return payments.map((payment, at) => {
    const { amount, cells, payTo } = payment
    const of = isPaid(payment) ? payment.settlement : payment.authorization
    const signature = isPaid(payment) ? signatureIn(payment.settlement) : ''
    const { valid = 0, invalid = 0 } = (isPaid(payment) ? left.next().value : undefined) ?? {}
    const rows = cells.flat().map((cell) => Math.ceil(cell / list.columns.length))
    return {
      ...{ number: at + 1, values: cells.length, amount: BigInt(amount), valid, invalid, signature },
      ...{ issued: issuedAt(signature), payer: textIn(of, 'payer'), payTo: payTo ?? '' },
      rows:
        rows.length === 0
          ? ''
          : spanOf([Math.min, Math.max].map((end) => String(rows.reduce((a, b) => end(a, b))))),
      transaction: textIn(of, 'transaction'),
      network: networkInWords(textIn(of, 'network'), seller),
    }
  })
}

const paymentRow = ({ number, issued, values, valid, invalid, rows, amount }: PrintedPayment): Html =>
  html`<tr><td>${number}</td><td>${issued || 'answer lost'}</td><td>${values}</td><td>${valid}</td><td>${invalid}</td><td>${rows}</td><td>${millionths(amount)}</td></tr>
`

const receiptOf = ({ number, transaction, signature, payer, payTo, network }: PrintedPayment): Html =>
  html`<p class="receipt"><b>${number}.</b> ${transactionOf(transaction, network)}<br>from <code>${payer}</code> to <code>${payTo}</code><br>${signature === '' ? 'no receipt: the answer was lost' : html`<code>${signature}</code>`}</p>
`

const transactionOf = (transaction: string, { explorer }: NetworkWords): Html =>
  explorer !== null && /^0x[0-9a-fA-F]{64}$/.test(transaction)
    ? html`<a href="${explorer}/tx/${transaction}"><code>${transaction}</code></a>`
    : html`<code>${transaction || 'no transaction is known'}</code>`

const fileInWords = ({ file, sha256 }: Statement['input']): string =>
  `${file}, SHA-256 ${sha256 ?? 'not known'}`

const spanOf = (ends: readonly string[]): string =>
  [...new Set([ends[0] ?? '', ends.at(-1) ?? ''])].join(' to ')

const leftOutInWords = (leftOut: Statement['list']['leftOut']): string =>
  Object.entries(leftOut)
    .map(([code, count]) => `${count} ${code}`)
    .join(', ') || 'none'

const sumOf = (payments: readonly PrintedPayment[], name: 'valid' | 'invalid'): number =>
  payments.reduce((sum, each) => sum + each[name], 0)

function sumInWords(payments: readonly StatementPayment[]): string {
  const total = payments.reduce((sum, { amount }) => sum + BigInt(amount), 0n)
  return `${millionths(total)} USDC (${total} atomic units; 1 USDC stands for 1 US dollar) in ${payments.length} payment${payments.length === 1 ? '' : 's'}`
}

/** The text of a member; empty for anything else. A service may have sent anything, also an object that looks like markup. */
function textIn(json: unknown, ...path: readonly string[]): string {
  const found = path.reduce(memberOf, json)
  return typeof found === 'string' ? found : ''
}

const memberOf = (json: unknown, name: string): unknown =>
  typeof json === 'object' ? (json as Readonly<Record<string, unknown>> | null)?.[name] : undefined

const signatureIn = (settlement: unknown): string =>
  textIn(settlement, 'extensions', 'offer-receipt', 'info', 'receipt', 'signature')

/** The time in the signed part; empty if it has none. */
function issuedAt(signature: string): string {
  try {
    const payload = (signature.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/')
    return utcTime(Number(JSON.parse(atob(payload)).issuedAt))
  } catch {
    return ''
  }
}
