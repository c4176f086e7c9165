import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Budget } from '../../../../../src/lists/budget.ts'
import { ReceiptFault } from '../../../../../src/receipts/verify-receipt.ts'
import { JsonFault, parseStrict } from '../../../../../src/values/strict-json.ts'
import { outcomeOf } from '../../../../../test/support/command.ts'
import { SeededRandom } from '../../../../../test/support/seeded-random.ts'
import { scratchDir } from '../../../../../test/support/service-process.ts'
import { isStatement } from '../../../src/statement/read-statement.ts'
import { PROVED_FORMATS } from '../../../src/verify/proved-rows.ts'
import { type FindKey, keysIn, type TrustedKey } from '../../../src/verify/trusted-keys.ts'
import { reportReceipt, reportStatement } from '../../../src/verify/verify.ts'
import { createDraw, type DrawnCase, KEY_SET } from './draw-evidence.ts'

const CASES = 10_000

const trusted = keysIn(KEY_SET) as FindKey<TrustedKey>

/** What both verifiers say: the class of the exit code, the proved rows, sums and payers. */
async function told({ bytes, own }: DrawnCase): Promise<object> {
  const budget = new Budget()
  budget.read(bytes.length)
  const options = {
    list: null,
    input: null,
    payers: null,
    budget,
    rpcUrl: null,
    format: PROVED_FORMATS['.jsonl'],
  }
  const keys = own ? null : trusted
  try {
    const json = parseStrict(bytes)
    if (!isStatement(json)) {
      const { code, json: report } = reportReceipt(json, keys, { ...options, out: null })
      const { receipt, request, result } = inReport(report)
      const { amount, payer } = receipt as { amount: string; payer: string }
      const parts = Object.entries({ request, result }).filter(([, part]) => part === 'matches')
      return { code, paid: amount, payers: [payer.toLowerCase()], parts: parts.map(([name]) => name) }
    }
    const {
      code,
      json: report,
      rows = [],
    } = await reportStatement(json, keys, { ...options, out: own ? null : '-' })
    const { values, named, paid, unproven, payers, ...counts } = inReport(report)
    const lines = Buffer.concat(rows).toString().split('\n').filter(Boolean)
    return {
      ...{ code, values, named, paid, unproven, payers: Object.keys(payers as object).toSorted() },
      rows: own ? counts.rows : lines.map((line) => rowOf(JSON.parse(line))),
    }
  } catch (error) {
    if (error instanceof ReceiptFault || error instanceof JsonFault) return { refused: true }
    throw error
  }
}

function inReport(report: object): Readonly<Record<string, unknown>> {
  const { consistent, proved, ...rest } = report as { consistent?: object; proved?: object }
  return { ...rest, ...proved, ...consistent }
}

/** What the receipts cover of a row; the other columns are made by the program that verifies. */
const COVERED = [
  ...['cell', 'type', 'value', 'valid', 'code', 'reason', 'normalized', 'place', 'bank'],
  ...['payer', 'transaction', 'issuedAt'],
]
const rowOf = (row: Readonly<Record<string, unknown>>) => COVERED.map((name) => row[name])

test(`a verifier in Python, written from the documents, agrees on ${CASES} statements and receipts`, async () => {
  const draw = createDraw(new SeededRandom(70))
  const cases: DrawnCase[] = []
  while (cases.length < CASES) cases.push(await draw())
  const scratch = scratchDir()
  const keys = join(scratch.path, 'jwks.json')
  const file = join(scratch.path, 'cases.jsonl')
  writeFileSync(keys, JSON.stringify(KEY_SET))
  writeFileSync(
    file,
    cases.map(({ bytes, own }) => `${JSON.stringify({ bytes: bytes.toString('base64'), own })}\n`).join(''),
  )
  const program = join(import.meta.dirname, 'verify_statement.py')
  const { code, stdout, stderr } = await outcomeOf([program, keys, file], { program: '/usr/bin/python3' })
  expect([code, stderr, stdout.length]).toEqual([0, [], CASES])
  const differences: unknown[] = []
  const seen = new Map<string, Set<unknown>>()
  for (const [at, each] of cases.entries()) {
    const [ours, theirs] = [await told(each), JSON.parse(stdout[at] ?? '{}')]
    const [kind] = each.kind.split(':')
    seen.set(kind ?? '', (seen.get(kind ?? '') ?? new Set()).add('refused' in ours))
    try {
      expect(theirs).toEqual(ours)
    } catch {
      differences.push([each.kind, each.own, ours, theirs, each.bytes.toString().slice(0, 20_000)])
    }
  }
  scratch.remove()
  expect(differences.slice(0, 3)).toEqual([])
  // Each part of the grammar was broken, and was drawn in forms that are allowed.
  const both = new Set([true, false])
  for (const kind of ['statement', 'receipt', 'packed', 'signed request', 'signed results', 'signed payload'])
    expect([kind, seen.get(kind)]).toEqual([kind, both])
  expect([seen.get('honest statement'), seen.get('honest receipt')]).toEqual([
    new Set([false]),
    new Set([false]),
  ])
})
