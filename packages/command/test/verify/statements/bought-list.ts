import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Budget } from '../../../../../src/lists/budget.ts'
import type { Statement } from '../../../../../src/lists/statement/format.ts'
import { ReceiptFault } from '../../../../../src/receipts/verify-receipt.ts'
import { validValue } from '../../../../../test/support/identifiers.ts'
import { startTestService } from '../../../../../test/support/sandbox-service.ts'
import { scratchDir } from '../../../../../test/support/service-process.ts'
import { buy } from '../../../src/buy/buy.ts'
import { PROVED_FORMATS } from '../../../src/verify/proved-rows.ts'
import { trustedKeys } from '../../../src/verify/trusted-keys.ts'
import { reportStatement } from '../../../src/verify/verify.ts'

/** What `verify` makes of a statement: its exit code, what it prints as text and as JSON, and the proved list. */
export interface Verdict {
  readonly code: number
  readonly text: string
  readonly json: Readonly<Record<string, unknown>>
  readonly rows: readonly Readonly<Record<string, unknown>>[]
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

export interface VerifyOptions {
  /** Bytes of a file that is named beside the statement; null for none. By default the one that was bought. */
  readonly list?: string | Uint8Array | null
  /** Whether the keys in the statement are all there is. */
  readonly own?: boolean
  readonly rpcUrl?: string
  readonly input?: string
  readonly payers?: readonly string[]
}

const LIST = `no;iban;note\n${ROWS.join('\n')}\n`

/** A list of two payments, bought at a service in this process, with its statement. */
export async function buyList(
  input: string | Uint8Array = LIST,
  {
    name = 'suppliers.csv',
    out = 'out.csv',
    more = [],
  }: { name?: string; out?: string; more?: readonly string[] } = {},
) {
  const service = await startTestService()
  const scratch = scratchDir()
  const place = (name: string) => join(scratch.path, name)
  writeFileSync(place(name), input)
  const code = await buy([
    ...['iban', '--file', place(name), '--out', place(out), '--batch', '6'],
    ...['--url', service.url, '--quiet', ...more],
  ])
  if (code !== 0) throw new Error(`buying ended with ${code}`)
  const bytes = readFileSync(place(out))
  const statement = JSON.parse(
    readFileSync(place(out.replace(/\.[^.]*$/, '.statement.json')), 'utf8'),
  ) as Statement
  const trusted = await trustedKeys({ url: service.url, jwks: undefined, key: undefined })

  async function verify(changed: unknown, options: VerifyOptions = {}): Promise<Verdict> {
    const { list = bytes, own = false, payers = null, rpcUrl = null, input = null } = options
    const path = place('changed')
    rmSync(path, { force: true })
    if (list !== null) writeFileSync(path, list)
    try {
      const { rows = [], ...report } = await reportStatement(changed, own ? null : trusted, {
        ...{ list: list === null ? null : path, input, payers, rpcUrl, budget: new Budget() },
        ...{ out: own ? null : 'rows.jsonl', format: PROVED_FORMATS['.jsonl'] },
      })
      const text = Buffer.concat(rows).toString()
      const proved = text.split('\n').filter(Boolean)
      return {
        ...report,
        json: JSON.parse(JSON.stringify(report.json)),
        rows: proved.map((line) => JSON.parse(line)),
      }
    } catch (error) {
      if (!(error instanceof ReceiptFault)) throw error
      return { code: 1, text: error.message, json: { genuine: false, fault: error.message }, rows: [] }
    }
  }

  return {
    service,
    folder: scratch.path,
    statement,
    bytes,
    verify,
    async stop() {
      await service.stop()
      scratch.remove()
    },
  }
}

export type BoughtList = Awaited<ReturnType<typeof buyList>>
