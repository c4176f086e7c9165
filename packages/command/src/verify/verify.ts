import { extname } from 'node:path'
import { COMMANDS } from '../../../../src/command-line/commands.ts'
import { NOT_DONE } from '../../../../src/command-line/exit-codes.ts'
import { parseArguments } from '../../../../src/command-line/parse-arguments.ts'
import { printableJson } from '../../../../src/command-line/terminal-text.ts'
import { UsageError } from '../../../../src/command-line/usage-error.ts'
import type { Budget } from '../../../../src/lists/budget.ts'
import { ReceiptFault, readReceipt, verifyReceipt } from '../../../../src/receipts/verify-receipt.ts'
import { ADDRESS } from '../../../../src/values/hex.ts'
import { isObject } from '../../../../src/values/json.ts'
import { readRpcUrl } from '../buy/read-url.ts'
import { refuseExisting, writePrivate } from '../list/list-output.ts'
import { isStatement, readStatement } from '../statement/read-statement.ts'
import { compareFile } from './compare-file.ts'
import { PROVED_FORMATS, type ProvedFormat, type ProvedRow } from './proved-rows.ts'
import { fileBudget, readEvidence } from './read-json.ts'
import { consistentReceipt, genuineReceipt, type Report } from './report.ts'
import { consistentStatement, provedStatement } from './statement-report.ts'
import { type FindKey, keysIn, type TrustedKey, trustedKeys } from './trusted-keys.ts'

/** `verify FILE`: checks a receipt or a statement; no network without --url and --rpc-url. */
export async function verifyCommand(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArguments(COMMANDS.verify, args)
  const [file, list = null, ...others] = positionals
  if (file === undefined || others.length > 0)
    throw new UsageError('verify takes one FILE, or a statement and its LIST')
  try {
    const budget = fileBudget()
    const { input = null, out = null } = values
    if (out !== null && out !== '-') refuseExisting(out)
    const format = formatOf(out ?? '-')
    const payers = values.payers === undefined ? null : readPayers(values.payers)
    const options = { list, input, out, format, payers, budget, rpcUrl: readRpcUrl(values['rpc-url']) }
    const json = readEvidence(file, budget)
    const trusted = await trustedKeys(values)
    const { rows = [], ...report } = isStatement(json)
      ? await reportStatement(json, trusted, options)
      : reportReceipt(json, trusted, options)
    if (out !== null && out !== '-') writePrivate(out, rows, false)
    else for (const chunk of rows) process.stdout.write(chunk)
    const told = values.json ? printableJson(report.json) : report.text
    if (out === '-') console.error(told)
    else console.log(told)
    return report.code
  } catch (error) {
    if (!(error instanceof ReceiptFault)) throw error
    if (values.json) console.log(JSON.stringify({ genuine: false, fault: error.message }))
    else console.error(`format-checker: not verified. ${error.message}`)
    return NOT_DONE
  }
}

export interface VerifyOptions {
  readonly list: string | null
  /** Path of the file that was bought; null to leave it out. */
  readonly input: string | null
  /** Where the proved rows are written; null for nowhere. */
  readonly out: string | null
  readonly format: ProvedFormat
  /** In small letters; null to accept any one payer. */
  readonly payers: readonly string[] | null
  readonly budget: Budget
  readonly rpcUrl: string | null
}

/** With the rows of the proved list, if they are wanted. */
export type StatementReport = Report & { readonly rows?: readonly Buffer[] }

/** `trusted`: null without a key that the caller vouches for. Rejects with {@link ReceiptFault}. */
export async function reportStatement(
  json: unknown,
  trusted: FindKey<TrustedKey> | null,
  { list, input, out, format, payers, budget, rpcUrl }: VerifyOptions,
): Promise<StatementReport> {
  const { proveStatement } = await import('./prove-statement.ts')
  const statement = readStatement(json)
  const files = {
    ...{ file: await compareFile(statement.output, list), input: await compareFile(statement.input, input) },
    ...{ out, payers },
  }
  if (trusted === null) {
    if (out !== null) throw new UsageError('--out needs --url, --jwks or --key: nothing is proved without')
    const take = () => undefined
    return consistentStatement(
      await proveStatement(statement, keysIn(statement.keys), { budget, rpcUrl, take }),
      files,
    )
  }
  const rows = [Buffer.from(format.head)]
  const take = (proved: readonly ProvedRow[]) =>
    void (out !== null && rows.push(Buffer.from(proved.map(format.row).join(''))))
  const proof = await proveStatement(statement, trusted, { budget, rpcUrl, take })
  return { ...provedStatement(proof, files), ...(out !== null && { rows }) }
}

function formatOf(out: string): ProvedFormat {
  const format = out === '-' ? '.csv' : extname(out).toLowerCase()
  if (format === '.csv' || format === '.jsonl') return PROVED_FORMATS[format]
  throw new UsageError('--out must end in .csv or .jsonl, or be "-"')
}

function readPayers(text: string): readonly string[] {
  const payers = text.split(',').map((payer) => payer.trim().toLowerCase())
  if (!payers.every((payer) => ADDRESS.test(payer)))
    throw new UsageError('--payers must be addresses of accounts with commas between them')
  return payers
}

/** Throws {@link ReceiptFault}. */
export function reportReceipt(
  json: unknown,
  trusted: FindKey<TrustedKey> | null,
  { list, input, out, payers, rpcUrl }: VerifyOptions,
): StatementReport {
  if ([list, input, out, payers, rpcUrl].some((each) => each !== null))
    throw new UsageError(
      'a LIST, --input, --out, --payers and --rpc-url belong to a statement, and FILE is a receipt',
    )
  const receipt = readReceipt(withoutPurchase(json))
  if (trusted === null) return consistentReceipt(receipt)
  return genuineReceipt(verifyReceipt(receipt, trusted(receipt.kid)))
}

/** The output of `buy --json` has the receipt under another name, and no request, since it does not repeat the value. */
function withoutPurchase(json: unknown): unknown {
  if (!isObject(json) || json.kind !== 'bought') return json
  const { kind: _, settlement, verdict, replayed, amount, ...others } = json
  const file = { receipt: settlement, result: verdict }
  const isAlike = typeof replayed === 'boolean' && readReceipt(file).payload.amount === amount
  if (Object.keys(others).length > 0 || !isAlike)
    throw new ReceiptFault('The members beside the receipt and the verdict differ from them.')
  return file
}
