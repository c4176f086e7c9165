import { COMMANDS } from '../../../../src/command-line/commands.ts'
import { NOT_DONE } from '../../../../src/command-line/exit-codes.ts'
import { parseArguments } from '../../../../src/command-line/parse-arguments.ts'
import { printableJson } from '../../../../src/command-line/terminal-text.ts'
import { UsageError } from '../../../../src/command-line/usage-error.ts'
import { ReceiptFault, readReceipt, verifyReceipt } from '../../../../src/receipts/verify-receipt.ts'
import { readRpcUrl } from '../buy/read-url.ts'
import { member } from '../buyer/json.ts'
import type { StatementFiles } from './prove-statement.ts'
import { fileBudget, readJson } from './read-json.ts'
import { isStatement, readStatement } from './read-statement.ts'
import {
  consistentReceipt,
  consistentStatement,
  genuineReceipt,
  genuineStatement,
  type Report,
} from './report.ts'
import { type FindKey, keysIn, type TrustedKey, trustedKeys } from './trusted-keys.ts'

/** `verify FILE`: checks a receipt or a statement; no network without --url and --rpc-url. */
export async function verifyCommand(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArguments(COMMANDS.verify, args)
  const [file, list = null, ...others] = positionals
  if (file === undefined || others.length > 0)
    throw new UsageError('verify takes one FILE, or a statement and its LIST')
  try {
    const budget = fileBudget()
    const json = readJson(file, budget)
    const trusted = await trustedKeys(values)
    const { input = null, partial: isPart } = values
    const options = { path: file, list, input, budget, rpcUrl: readRpcUrl(values['rpc-url']), isPart }
    const report = isStatement(json)
      ? await reportStatement(json, trusted, options)
      : reportReceipt(json, trusted, options)
    console.log(values.json ? printableJson(report.json) : report.text)
    return report.code
  } catch (error) {
    if (!(error instanceof ReceiptFault)) throw error
    if (values.json) console.log(JSON.stringify({ genuine: false, fault: error.message }))
    else console.error(`format-checker: not verified. ${error.message}`)
    return NOT_DONE
  }
}

interface Options extends StatementFiles {
  readonly isPart: boolean
}

/** `trusted`: null without a key that the caller vouches for. Rejects with {@link ReceiptFault}. */
export async function reportStatement(
  json: unknown,
  trusted: FindKey<TrustedKey> | null,
  { isPart, ...files }: Options,
): Promise<Report> {
  const { proveStatement } = await import('./prove-statement.ts')
  const statement = readStatement(json)
  if (trusted === null)
    return consistentStatement(await proveStatement(statement, keysIn(statement.keys), files), isPart)
  return genuineStatement(await proveStatement(statement, trusted, files), isPart)
}

function reportReceipt(
  json: unknown,
  trusted: FindKey<TrustedKey> | null,
  { list, input, rpcUrl, isPart }: Options,
): Report {
  if ([list, input, rpcUrl].some((each) => each !== null) || isPart)
    throw new UsageError(
      'a LIST, --input, --partial and --rpc-url belong to a statement, and FILE is a receipt',
    )
  const receipt = readReceipt(withoutPurchase(json))
  if (trusted === null) return consistentReceipt(receipt)
  return genuineReceipt(verifyReceipt(receipt, trusted(receipt.kid)))
}

/** The output of `buy --json` has the receipt under another name, and no request, since it does not repeat the value. */
function withoutPurchase(json: unknown): unknown {
  const { kind, settlement, verdict } = member(json)
  return kind === 'bought' ? { receipt: settlement, result: verdict } : json
}
