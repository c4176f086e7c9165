import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Budget } from '../../../../../src/lists/budget.ts'
import { ReceiptFault } from '../../../../../src/receipts/verify-receipt.ts'
import { validValue } from '../../../../../test/support/identifiers.ts'
import { startTestService } from '../../../../../test/support/sandbox-service.ts'
import { scratchDir } from '../../../../../test/support/service-process.ts'
import { buy } from '../../../src/buy/buy.ts'
import type { Statement } from '../../../src/list/statement.ts'
import { trustedKeys } from '../../../src/verify/trusted-keys.ts'
import { reportStatement } from '../../../src/verify/verify.ts'

/** What `verify` makes of a statement: its exit code, and what it prints as text and as JSON. */
export interface Verdict {
  readonly code: number
  readonly text: string
  readonly json: Readonly<Record<string, unknown>>
}

const ibans = Array.from({ length: 9 }, (_, seed) => validValue('iban', seed))
/** Own columns, blanks, a repeated value, values that are wrong, and cells that nothing is sold for. */
const ROWS = [
  ...ibans.map((iban, at) => `${70_001 + at};${at === 0 ? iban.replace(/.{4}/g, '$& ') : iban};note ${at}`),
  `70010;${ibans[2]};again`,
  `70011;${ibans[3]?.replace(/.$/, 'X')};a letter`,
  `70012;IBAN: ${ibans[5]};a label`,
  '70013;;empty',
  '70014;n/a;no value',
]

interface VerifyOptions {
  /** Text of the list, if it is another one. */
  readonly list?: string
  /** Whether the keys in the statement are all there is. */
  readonly own?: boolean
  readonly isPart?: boolean
  readonly rpcUrl?: string
  readonly input?: string
}

/** A list of two payments, bought at a service in this process, with its statement. */
export async function buyList() {
  const service = await startTestService()
  const scratch = scratchDir()
  const place = (name: string) => join(scratch.path, name)
  writeFileSync(place('suppliers.csv'), `no;iban;note\n${ROWS.join('\n')}\n`)
  const code = await buy([
    ...['iban', '--file', place('suppliers.csv'), '--out', place('out.csv'), '--batch', '6'],
    ...['--url', service.url, '--quiet'],
  ])
  if (code !== 0) throw new Error(`buying ended with ${code}`)
  const text = readFileSync(place('out.csv'), 'utf8')
  const statement = JSON.parse(readFileSync(place('out.statement.json'), 'utf8')) as Statement
  const trusted = await trustedKeys({ url: service.url, jwks: undefined, key: undefined })

  async function verify(
    changed: unknown,
    { list = text, own = false, isPart = false, ...named }: VerifyOptions = {},
  ): Promise<Verdict> {
    const path = place('changed.csv')
    if (list !== text) writeFileSync(path, list)
    try {
      const report = await reportStatement(changed, own ? null : trusted, {
        ...{
          path: place('out.statement.json'),
          list: list === text ? null : path,
          isPart,
          budget: new Budget(),
        },
        ...{ rpcUrl: named.rpcUrl ?? null, input: named.input ?? null },
      })
      return { ...report, json: JSON.parse(JSON.stringify(report.json)) }
    } catch (error) {
      if (!(error instanceof ReceiptFault)) throw error
      return { code: 1, text: error.message, json: { genuine: false, fault: error.message } }
    }
  }

  return {
    service,
    folder: scratch.path,
    statement,
    text,
    verify,
    async stop() {
      await service.stop()
      scratch.remove()
    },
  }
}

export type BoughtList = Awaited<ReturnType<typeof buyList>>

/** The same statement as a former version wrote it: no request, the first cell of each value, and keys for anybody to judge by. */
export function formerOf({ list, input: _, output, payments, ...statement }: Statement) {
  const [first] = list.columns
  return {
    ...statement,
    format: 'format-checker-statement/1',
    type: first?.type,
    list: { file: output.file, column: first?.column ?? null, encoding: list.encoding, sheet: list.sheet },
    payments: payments.map(({ amount, payTo, settlement, results, cells }) => ({
      ...{ amount, payTo, settlement, results, rows: cells.map(([row = null]) => row) },
    })),
  }
}
