/**
 * The page for lists: many values, a payment for each thousand, one table.
 *
 * The list is read here. The terms are asked for with as many placeholders, so values leave the page in the paid request
 * only.
 */

import { byId, element, UNTRANSLATED } from './dom.js'
import { inSlices, planList } from './list-plan.js'
import { startSource } from './list-source.js'
import { printedStatement, sha256Of, statementOf } from './list-statement.js'
import { findPart, forgetParts, keepPart, partKey } from './list-store.js'
import { renderTable } from './list-table.js'
import { button, say, show, tell } from './notice.js'
import { inDollars, inUsdc } from './payment.js'
import { startPurchases } from './purchase.js'
import { saveFile } from './save-file.js'
import { renderReceipt } from './verdict.js'

/** @import { Plan } from './list-plan.js' */
/** @import { SoldAnswer } from './purchase.js' */
/** @import { BoughtPart } from './list-statement.js' */
/** @import { EncodingName } from './lists/decode-text.ts' */
/**
 * A list that is being bought: the values of each payment, and the answers so far.
 *
 * @typedef {{ plan: Plan, type: string, endpoint: string, name: string | null, file: Blob,
 *   parts: readonly (readonly string[])[], answers: BoughtPart[], isAgreed: boolean }} Sale
 */

/** Values under one payment, and bytes of a request body that the service reads. */
const MOST_VALUES = 1000
const LARGEST_BODY = 1024 * 1024
const PLACEHOLDER = '0'
const NO_LIST = 'No values yet.'
const EMPTY_LIST = 'No values found.'

const form = byId('list', HTMLFormElement)
const place = byId('check-list', HTMLElement)
const choices = byId('columns', HTMLElement)
const cost = byId('cost', HTMLElement)
const summary = byId('summary', HTMLElement)
const ask = byId('ask', HTMLButtonElement)
const results = byId('results', HTMLElement)
const price = BigInt(place.dataset.amount ?? 0)
const WORDS = JSON.parse(place.dataset.words ?? '{}')
const purchases = startPurchases(place, (isBusy) => {
  form.inert = isBusy
  cost.inert = isBusy
})

let file = new Blob([])
let fileName = /** @type {string | null} */ (null)
/** What the person said about the list. @type {{ column?: string, sheet?: string, encoding?: string }} */
let said = {}
/** The number of the last reading; an earlier one that ends later is not shown. */
let turn = 0
/** @type {Promise<Plan | null>} */
let reading = Promise.resolve(null)
let unsaved = false

const chosen = () => /** @type {HTMLInputElement} */ (form.querySelector('input[name=type]:checked'))

/** Reads the list after its text, its type or what was said about it changed. */
function read() {
  turn += 1
  const mine = turn
  purchases.abandon()
  say('')
  show()
  ask.hidden = true
  if (file.size === 0) {
    choices.hidden = true
    summary.replaceChildren(fileName === null ? NO_LIST : EMPTY_LIST)
    reading = Promise.resolve(null)
    return
  }
  const check = { ...JSON.parse(chosen().dataset.check ?? ''), words: WORDS }
  const options = {
    check,
    ...said,
    encoding: /** @type {EncodingName} */ (said.encoding ?? (fileName === null ? 'utf-8' : undefined)),
  }
  const isCurrent = () => mine === turn
  summary.replaceChildren('Reading…')
  reading = planList(file, options, isCurrent).then(
    async (plan) => (plan === null || !isCurrent() ? null : showPlan(plan)),
    (error) => {
      if (!isCurrent()) return null
      // A notice would take the focus out of the box.
      const isFault = error?.name === 'ListFault'
      summary.replaceChildren(
        element('span', UNTRANSLATED, isFault ? sentence(error.message) : 'The file could not be read.'),
      )
      showChoices(isFault ? error.choice : null)
      return null
    },
  )
}

/** @param {Plan} plan */
async function showPlan(plan) {
  const { list, rows, values, duplicates, leftOut } = plan
  const [{ describePlan }, { codeInWords }] = await Promise.all([
    import('./lists/describe-plan.ts'),
    import('./lists/code-words.ts'),
  ])
  const names = list.isNamed ? list.header : (rows[0]?.cells ?? list.header)
  showChoices(names.length > 1 ? { option: 'column', of: names, at: list.columns[0].index } : null)
  const parts = partsOf(values)
  const paid = await paidOf(parts)
  const notes = [
    ...describePlan(list, leftOut, await outputsOf(list), (code) => `"${codeInWords(code)}"`).map(
      ([title, text]) => `${title}: ${text}`,
    ),
    ...(duplicates > 0 ? [`${count(duplicates, 'repeated row')}, free`] : []),
    ...(parts.length > 1 ? [`${parts.length} payments, each with a signature of its own`] : []),
  ]
  if (values.length === 0) {
    const left = notes.filter((note) => note.startsWith('left out'))
    summary.replaceChildren(
      element('b', {}, EMPTY_LIST),
      ...(left.length > 0 ? [element('span', UNTRANSLATED, `${left.join('. ')}.`)] : []),
    )
    return plan
  }
  const first = `First: ${values.slice(0, 3).join(' · ').slice(0, 120)}`
  summary.replaceChildren(
    element('b', {}, `${count(rows.length, 'row')}: ${priceOf(values.length)}`),
    ...(paid > 0
      ? [
          element(
            'b',
            {},
            `Already paid in this browser: ${priceOf(paid)}. Left to pay: ${priceOf(values.length - paid)}.`,
          ),
        ]
      : []),
    element('span', UNTRANSLATED, `${notes.join('. ')}.`),
    element('span', { class: 'sample', ...UNTRANSLATED }, first),
  )
  ask.replaceChildren(paid === values.length ? 'Show the results' : `Pay ${priceOf(values.length - paid)}`)
  ask.hidden = false
  return plan
}

const priceOf = (/** @type {number} */ values) => inDollars(String(price * BigInt(values)))

/**
 * How many values were answered before a reload.
 *
 * @param {readonly (readonly string[])[]} parts
 */
async function paidOf(parts) {
  if (parts.length < 2) return 0
  const { endpoint = '' } = chosen().dataset
  const kept = await Promise.all(
    parts.map(async (values) => findPart(await partKey(endpoint, JSON.stringify({ values })))),
  )
  return parts.reduce((sum, { length }, at) => sum + (kept[at]?.answer === undefined ? 0 : length), 0)
}

/**
 * What the buttons will save.
 *
 * @param {Plan['list']} list
 */
async function outputsOf(list) {
  const { describeOutput } = await import('./lists/describe-plan.ts')
  const csv = describeOutput('csv', list)
  if (list.workbook === undefined) return csv
  const { openWorkbook } = await import('./lists/workbook/write-workbook.ts')
  const { NO_WORDS } = await import('./lists/results.ts')
  // An .ods, or a sheet without room, is saved as CSV alone.
  const workbook = await openWorkbook(list, () => NO_WORDS).catch(() => null)
  return workbook === null ? csv : `${describeOutput('workbook', list, workbook.apart)}, or ${csv}`
}

/**
 * Lets the person choose what the reader could not find, or found wrongly.
 *
 * @param {{ option: 'column' | 'sheet' | 'encoding', of: readonly string[], at?: number, joined?: string } | null} choice
 */
function showChoices(choice) {
  choices.hidden = choice === null
  if (choice === null) return
  const { option, of, at, joined } = choice
  const isColumn = option === 'column'
  const select = document.createElement('select')
  if (at === undefined) select.append(element('option', {}, 'Choose…'))
  if (joined !== undefined)
    select.append(element('option', { value: joined }, `${joined.replace('+', ' + ')}: joined`))
  select.append(
    ...of.map((name, index) =>
      element(
        'option',
        { ...UNTRANSLATED, value: isColumn ? String(index + 1) : name },
        isColumn ? `${index + 1}: ${name.trim().slice(0, 40) || '(empty)'}` : name,
      ),
    ),
  )
  if (at !== undefined) select.selectedIndex = at
  select.addEventListener('input', () => {
    said = { ...said, [option]: select.value }
    read()
  })
  choices.replaceChildren(
    element(
      'label',
      { class: 'field' },
      { column: 'Column', sheet: 'Sheet', encoding: 'Encoding' }[option],
      select,
    ),
  )
}

/** A fault of the reader as a sentence, without the options of the command line. */
const sentence = (/** @type {string} */ words) => {
  const plain = words.replace(/ with --\w+/g, '')
  return `${plain[0]?.toUpperCase()}${plain.slice(1)}.`
}

/** True if each character is one byte in JSON, which is the fast way to count them. */
const isPlain = (/** @type {string} */ value) => /^[ !#-[\]-~]*$/.test(value)
const encoder = new TextEncoder()

/**
 * Divides the values into those of one payment each.
 *
 * @param {readonly string[]} values
 */
function partsOf(values) {
  /** @type {string[][]} */
  const parts = []
  let size = 0
  for (const value of values) {
    const bytes = isPlain(value) ? value.length + 3 : encoder.encode(JSON.stringify(value)).length + 1
    const part = parts.at(-1)
    if (part === undefined || part.length === MOST_VALUES || size + bytes > LARGEST_BODY - 64) {
      parts.push([value])
      size = bytes
    } else {
      part.push(value)
      size += bytes
    }
  }
  return parts
}

/**
 * Loaded before anything is paid: a newer version of the service no longer has the files of this one.
 *
 * @param {Plan} plan
 */
const loadResults = ({ list }) =>
  Promise.all([
    import('./lists/write-rows.ts'),
    import('./lists/encode-text.ts'),
    import('./lists/results.ts'),
    import('./lists/own-words.ts'),
    list.workbook === undefined ? null : import('./lists/workbook/write-workbook.ts'),
    import('./lists/statement/page.ts'),
    import('./lists/code-words.ts'),
    import('./lists/name-column.ts'),
  ])

async function askForTerms() {
  if (unsaved && !window.confirm('The results of the last list are not saved. Go on and replace them?'))
    return
  purchases.abandon()
  const plan = await reading
  if (plan === null || plan.values.length === 0) return
  try {
    await loadResults(plan)
  } catch {
    return tell('bad', 'The page is not whole', 'A part of it did not load. Reload it; nothing was signed.')
  }
  show()
  const { endpoint = '' } = chosen().dataset
  await buyNext({
    plan,
    type: chosen().value,
    endpoint,
    name: fileName,
    file,
    parts: partsOf(plan.values),
    answers: [],
    isAgreed: true,
  })
}

/**
 * Buys the next part, unless it was bought before a reload; shows the table after the last.
 *
 * @param {Sale} sale
 * @returns {Promise<void>}
 */
async function buyNext(sale) {
  const { parts, answers, endpoint } = sale
  const values = parts[answers.length]
  if (values === undefined) return showSold(sale)
  const mine = turn
  const request = { endpoint, body: JSON.stringify({ values }) }
  const amount = String(price * BigInt(values.length))
  const key = parts.length > 1 ? await partKey(endpoint, request.body) : null
  const kept = key === null ? undefined : await findPart(key)
  if (mine !== turn) return
  const next = (
    /** @type {SoldAnswer} */ answer,
    /** @type {string} */ paid,
    /** @type {string} */ payTo,
  ) => {
    answers.push({ answer, amount: paid, payTo })
    if (key !== null) void keepPart(key, { answer, payTo })
    return buyNext(sale)
  }
  if (parts.length > 1) showProgress(answers.length, parts.length)
  if (kept?.answer !== undefined) return next(kept.answer, amount, kept.payTo ?? '')
  // The button named the price of the next payment. Later ones are asked for: not signing them is how a person pauses.
  const { isAgreed } = sale
  sale.isAgreed = false
  await purchases.begin({
    isAgreed,
    question: { endpoint, body: JSON.stringify({ values: values.map(() => PLACEHOLDER) }) },
    request,
    most: price * BigInt(values.length),
    price: inUsdc(String(price)),
    ...(kept?.header === undefined
      ? {}
      : { earlier: { ...request, header: kept.header, payer: kept.payer ?? '', nonce: kept.nonce ?? '' } }),
    refusedEarlier: () => void (key !== null && keepPart(key, {})),
    beforeSent: async ({ header, payer, nonce }) =>
      void (key !== null && header !== undefined && (await keepPart(key, { header, payer, nonce }))),
    showSold: (answer, { header }, asked) => void next(answer, asked, payeeIn(header)),
  })
}

/** The payee in the terms of a signed payment. */
const payeeIn = (/** @type {string | undefined} */ header) =>
  String(JSON.parse(atob(header ?? 'e30=')).accepted?.payTo ?? '')

/**
 * @param {number} done
 * @param {number} all
 */
function showProgress(done, all) {
  results.replaceChildren(
    element(
      'p',
      { class: 'hint' },
      element('progress', { max: String(all), value: String(done), 'aria-label': 'Payments' }),
      ` ${done} of ${all} payments. To pause, do not sign the next one: the same list goes on from here, also after a reload.`,
    ),
  )
}

/** @param {Sale} sale */
async function showSold({ plan, type, name, file, parts, answers }) {
  const [
    { createRowFormatter },
    { outputEncoding },
    { checkedOf, describeResult },
    { ownWords: own },
    workbooks,
    ,
    { codeInWords },
    { nameColumn },
  ] = await loadResults(plan)
  const verdicts = answers.flatMap(({ answer }) => answer.result.results)
  const checked = plan.rows.flatMap((row) => ('at' in row ? [verdicts[row.at]?.valid] : []))
  const valid = checked.filter((isValid) => isValid).length
  const base = (name ?? 'list').replace(/\.[^.]*$/, '')
  const title = element(
    'h2',
    { tabindex: '-1', id: 'results-title' },
    `${count(valid, 'row')} valid, ${(checked.length - valid).toLocaleString('en-US')} not valid`,
  )
  const resultOf = (/** @type {Plan['rows'][number]} */ row) =>
    'at' in row ? checkedOf(verdicts[row.at]) : { kind: /** @type {const} */ ('skipped'), code: row.skipped }
  const csv = async () => {
    const { encode, mark, holds } = outputEncoding('csv', plan.list, marked.value())
    const { head, row } = createRowFormatter('csv', plan.list, { own, holds })
    const files = [new Blob([/** @type {BlobPart} */ (encode(head))])]
    for await (const slice of inSlices(plan.rows)) {
      const text = slice.map((each) => row(each, resultOf(each))).join('')
      files.push(new Blob([/** @type {BlobPart} */ (encode(text))]))
    }
    return [/** @type {BlobPart} */ (mark()), ...files]
  }
  // An .ods, or a sheet without room, is saved as CSV alone.
  const workbook = (await workbooks?.openWorkbook(plan.list, own).catch(() => null)) ?? null
  const marked = markBox(plan.list)
  /** What was saved last. */
  let output = { file: `${base}-checked.csv`, sha256: /** @type {string | null} */ (null) }
  const saveResults = async (/** @type {string} */ ending, /** @type {BlobPart[]} */ ...files) => {
    output = { file: `${base}-checked${ending}`, sha256: await sha256Of(new Blob(files)) }
    saveFile(output.file, ending === '.csv' ? 'text/csv' : 'application/octet-stream', ...files)
    unsaved = false
    void forgetParts()
  }
  const statement = async () =>
    statementOf({
      ...{ plan, type, parts, answers, output },
      input: { file: name ?? 'pasted list', sha256: await sha256Of(file) },
    })
  const statementName = `${base}-checked.statement`
  const named = nameColumn(plan.rows, plan.list.header, [plan.list.columns[0].index])
  const table = await renderTable(plan, {
    type,
    codeInWords,
    named,
    tell: (row) => {
      const result = resultOf(row)
      return { ...describeResult(result, own(row, result)), code: result.code }
    },
  })
  show()
  results.replaceChildren(
    element(
      'div',
      { class: 'results-head' },
      title,
      element(
        'div',
        { class: 'actions' },
        ...(workbook === null
          ? []
          : [
              button('Save the workbook', 'primary', async () => {
                for await (const slice of inSlices(plan.rows))
                  for (const row of slice) workbook.row(row, resultOf(row))
                saveResults((name ?? '').slice(base.length), await workbook.bytes())
              }),
            ]),
        button('Save as CSV', workbook === null ? 'primary' : 'secondary', async () =>
          saveResults('.csv', ...(await csv())),
        ),
        ...marked.controls,
        ...(workbook?.apart
          ? [
              element(
                'p',
                { class: 'hint' },
                `In the workbook the results get the sheet "${workbook.apart.sheet}", since ${workbook.apart.why}.`,
              ),
            ]
          : []),
        button('Save the statement', 'secondary', async () => {
          const page = await printedStatement(await statement(), answers, {
            file: `${statementName}.json`,
            isSandbox: place.dataset.sandbox === 'true',
          })
          saveFile(`${statementName}.html`, 'text/html', page)
        }),
        button('Save the evidence', 'secondary', async () =>
          saveFile(`${statementName}.json`, 'application/json', JSON.stringify(await statement())),
        ),
      ),
    ),
    table,
    ...answers.map(({ answer, amount }) => renderReceipt(answer, amount)),
  )
  unsaved = true
  say(
    `Checked. Paid ${inDollars(String(answers.reduce((sum, { amount }) => sum + BigInt(amount), 0n)))}.`,
    true,
  )
  title.focus()
}

/**
 * Asks for the byte order mark of a CSV; without an answer it is written as the command writes it.
 *
 * @param {Plan['list']} list
 */
function markBox({ encoding }) {
  if (encoding !== null && !encoding.name.startsWith('utf-')) return { controls: [], value: () => undefined }
  const box = document.createElement('input')
  box.type = 'checkbox'
  box.checked = encoding?.hasBom ?? true
  const asRead = box.checked
  const words =
    'Byte order mark: Excel needs it for letters such as ł, other programs may lose the first heading'
  return {
    controls: [element('label', { class: 'mark-box' }, box, words)],
    value: () => (box.checked === asRead ? undefined : box.checked),
  }
}

/**
 * @param {number} number
 * @param {string} noun
 */
const count = (number, noun) => `${number.toLocaleString('en-US')} ${noun}${number === 1 ? '' : 's'}`

startSource({
  change(list, name) {
    file = list
    fileName = name
    said = {}
    read()
  },
  fault: (words) => tell('bad', 'Not a list', words),
})
form.addEventListener('submit', (event) => {
  event.preventDefault()
  void askForTerms()
})
for (const choice of form.querySelectorAll('input[name=type]'))
  choice.addEventListener('input', () => {
    said = {}
    read()
  })
window.addEventListener('beforeunload', (event) => {
  if (purchases.isUnanswered() || unsaved) event.preventDefault()
})
summary.append(NO_LIST)
form.inert = false
