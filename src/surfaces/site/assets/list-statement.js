/** The statement of a list that was bought here, as the command line writes it: a page to print, and a file for `verify`. */
import { chain } from './dom.js'
import { inSlices } from './list-plan.js'

/** @import { Plan } from './list-plan.js' */
/** @import { SoldAnswer } from './purchase.js' */
/** @import { NamedFile, Statement } from './lists/statement/format.ts' */
/** @typedef {{ answer: SoldAnswer, amount: string, payTo: string }} BoughtPart */

/** Characters that a call may take as arguments. */
const CHUNK = 0x8000

/**
 * @param {{ plan: Plan, type: string, parts: readonly (readonly string[])[], answers: readonly BoughtPart[],
 *   input: NamedFile, output: NamedFile }} sold
 * @returns {Promise<Statement>}
 */
export async function statementOf({ plan, type, parts, answers, input, output }) {
  const { PRIVATE, STATEMENT_FORMAT } = await import('./lists/statement/format.ts')
  const { list, rows, values } = plan
  const leftOut = Object.fromEntries([...plan.leftOut].map(([code, { count }]) => [code, count]))
  /** @type {number[][]} */
  const cells = values.map(() => [])
  for (const [at, row] of rows.entries()) if ('at' in row) cells[row.at]?.push(at + 1)
  const [{ type: checked, index }] = list.columns
  const payments = []
  let at = 0
  for await (const [part = []] of inSlices(parts, 1)) {
    const { answer, amount, payTo } = /** @type {BoughtPart} */ (answers[payments.length])
    payments.push({
      ...{ amount, payTo, settlement: answer.receipt, cells: cells.slice(at, at + part.length) },
      request: await packed(part.map((value) => ({ type, value }))),
      results: await packed(answer.result.results),
    })
    at += part.length
  }
  return {
    ...{ format: STATEMENT_FORMAT, private: PRIVATE, service: `${location.origin}/` },
    ...{ finishedAt: new Date().toISOString(), input, output },
    list: {
      columns: [{ type: checked, column: list.isNamed ? (list.header[index] ?? null) : String(index + 1) }],
      ...{ sheet: list.sheet, leftOut },
    },
    keys: await fetch('/.well-known/did.json').then(
      (response) => (response.ok ? response.json() : null),
      () => null,
    ),
    payments,
  }
}

/**
 * @param {Statement} statement
 * @param {readonly BoughtPart[]} answers
 * @param {{ file: string, isSandbox: boolean }} options `file`: the name of the statement
 */
export async function printedStatement(statement, answers, { file, isSandbox }) {
  const { countAnswers, statementPage } = await import('./lists/statement/page.ts')
  const { name, explorer, isRealMoney } = chain()
  const networkInWords = (/** @type {string} */ id) => ({
    title: isSandbox
      ? `sandbox, whose chain is called ${id}; no real money`
      : `${name} (${id})${isRealMoney ? '' : ', test money'}`,
    ...{ explorer, isSandbox },
  })
  const counts = countAnswers(answers.map(({ answer }) => answer.result.results))
  return statementPage(statement, { answers: counts, networkInWords, file })
}

/** @param {Blob} blob */
export async function sha256Of(blob) {
  const hash = await crypto.subtle.digest('SHA-256', await blob.arrayBuffer())
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/**
 * JSON, gzipped, in base64.
 *
 * @param {readonly object[]} items
 */
async function packed(items) {
  const stream = new Blob([JSON.stringify(items)]).stream().pipeThrough(new CompressionStream('gzip'))
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer())
  let text = ''
  for (let at = 0; at < bytes.length; at += CHUNK)
    text += String.fromCharCode(...bytes.subarray(at, at + CHUNK))
  return btoa(text)
}
