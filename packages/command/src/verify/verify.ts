import { createPublicKey, type KeyObject } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { COMMANDS } from '../../../../src/command-line/commands.ts'
import { type ParsedArguments, parseArguments } from '../../../../src/command-line/parse-arguments.ts'
import { printable, printableJson } from '../../../../src/command-line/terminal-text.ts'
import { UsageError } from '../../../../src/command-line/usage-error.ts'
import { usdc } from '../../../../src/payments/networks/format-usdc.ts'
import { readFormerReceiptKey } from '../../../../src/receipts/receipt-key.ts'
import {
  type ReadReceipt,
  ReceiptFault,
  readReceipt,
  verifyReceipt,
} from '../../../../src/receipts/verify-receipt.ts'
import { parseJson } from '../../../../src/values/json.ts'
import { isLoopback } from '../../../../src/values/loopback.ts'
import { readRpcUrl } from '../buy/read-url.ts'
import type { Statement } from '../list/statement.ts'
import { fetchDidDocument } from './did-document.ts'

/** `verify FILE`: checks a receipt; no network with --key or --jwks. Exit code 1 if it is not genuine. */
export async function verifyCommand(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArguments(COMMANDS.verify, args)
  const [file, list, ...others] = positionals
  if (file === undefined || others.length > 0)
    throw new UsageError('verify takes one FILE, or a statement and its LIST')
  try {
    const json = readJson(file)
    const { isStatement } = await import('./verify-statement.ts')
    if (isStatement(json)) return await verifyAll(json, { path: file, list: list ?? null, values })
    if (list !== undefined || values['rpc-url'] !== undefined)
      throw new UsageError('a LIST and --rpc-url belong to a statement, and FILE is a receipt')
    const receipt = readReceipt(withoutPurchase(json))
    verifyReceipt(receipt, await receiptKey(receipt, values))
    console.log(values.json ? printableJson(reportOf(receipt)) : describe(receipt))
    return 0
  } catch (error) {
    if (!(error instanceof ReceiptFault)) throw error
    if (values.json) console.log(JSON.stringify({ genuine: false, fault: error.message }))
    else console.error(`format-checker: not verified. ${error.message}`)
    return 1
  }
}

type Options = ParsedArguments<typeof COMMANDS.verify>['values']

async function verifyAll(
  statement: Statement,
  { path, list, values }: { readonly path: string; readonly list: string | null; readonly values: Options },
): Promise<number> {
  const { verifyStatement, describeStatement } = await import('./verify-statement.ts')
  const rpcUrl = readRpcUrl(values['rpc-url'])
  const areOwn = values.key === undefined && values.jwks === undefined && statement.keys !== null
  const keyFor = async (receipt: ReadReceipt, keys: unknown) =>
    areOwn ? keyIn(keys, receipt.kid) : receiptKey(receipt, values)
  const verified = await verifyStatement(statement, { path, list, rpcUrl, keyFor })
  console.log(values.json ? printableJson(verified) : describeStatement(verified, areOwn))
  return 0
}

const reportOf = ({ kid, payload, request, result }: ReadReceipt) => ({
  genuine: true,
  signedBy: kid,
  receipt: payload,
  request: comparison(request),
  result: comparison(result),
})

const IN_WORDS = {
  matches: 'is the one of this sale',
  not_compared: 'not in the file, not compared',
} as const

/** `verifyReceipt` has compared what the file holds. */
const comparison = (part: unknown): keyof typeof IN_WORDS => (part === undefined ? 'not_compared' : 'matches')

function describe(receipt: ReadReceipt): string {
  const { payload, kid } = receipt
  const { request, result } = reportOf(receipt)
  return [
    'genuine',
    `signed by    ${kid}`,
    `sold at      ${payload.resourceUrl}, ${new Date(payload.issuedAt * 1000).toISOString()}`,
    `paid         ${usdc(payload.amount)} by ${payload.payer}`,
    `transaction  ${payload.transaction} (${payload.network})`,
    `request      ${IN_WORDS[request]}`,
    `result       ${IN_WORDS[result]}`,
  ]
    .map(printable)
    .join('\n')
}

/** The key of a file, or the one that the service publishes in its DID document. */
async function receiptKey({ kid }: ReadReceipt, given: Options) {
  if (given.key !== undefined && given.jwks !== undefined)
    throw new UsageError('give --key or --jwks, not both')
  if (given.key !== undefined) return readKey(read(given.key))
  return keyIn(given.jwks === undefined ? await resolveDid(kid) : readJson(given.jwks), kid)
}

function readKey(text: string): KeyObject {
  try {
    return readFormerReceiptKey(text)
  } catch (error) {
    throw new ReceiptFault(`--key: ${(error as Error).message}.`)
  }
}

/** Finds a key by its id in a key set (RFC 7517) or a DID document. */
function keyIn(document: unknown, kid: string): KeyObject {
  const { keys, verificationMethod } = (document ?? {}) as { keys?: unknown; verificationMethod?: unknown }
  const listed = [
    ...listOf(keys).map((jwk) => ({ id: jwk.kid, jwk })),
    ...listOf(verificationMethod).map(({ id, publicKeyJwk }) => ({ id, jwk: publicKeyJwk })),
  ]
  const found = listed.find(({ id }) => id === kid)
  if (found === undefined)
    throw new ReceiptFault('The published keys do not include the one that the receipt names.')
  try {
    return createPublicKey({ key: found.jwk as Record<string, string>, format: 'jwk' })
  } catch {
    throw new ReceiptFault('The published key cannot be read.')
  }
}

const listOf = (value: unknown): readonly Record<string, unknown>[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'object' && each !== null) : []

/** Resolves did:web (W3C CCG, did-method-web): https, and http on this machine. */
async function resolveDid(kid: string): Promise<unknown> {
  const [, host = ''] = /^did:web:([A-Za-z0-9._-]+(?:%3A\d+)?)#/.exec(kid) ?? []
  if (host === '') throw new ReceiptFault('The receipt names no did:web of a host. Give --key or --jwks.')
  const name = decodeURIComponent(host)
  const scheme = isLoopback(name.replace(/:\d+$/, '')) ? 'http' : 'https'
  const document = await fetchDidDocument(`${scheme}://${name}`)
  if (document !== null) return document
  throw new ReceiptFault(
    'The service does not answer with its DID document. Give --key or --jwks with a kept copy.',
  )
}

/** "-" is standard input. */
function read(file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file === '-' ? 0 : file))
  } catch (error) {
    throw new ReceiptFault(`A file cannot be read as UTF-8 text (${(error as NodeJS.ErrnoException).code}).`)
  }
}

/** The output of `buy --json` has the receipt under another name, and no request, since it does not repeat the value. */
function withoutPurchase(json: unknown): unknown {
  const { kind, settlement, verdict } = (json ?? {}) as Record<string, unknown>
  return kind === 'bought' ? { receipt: settlement, result: verdict } : json
}

function readJson(file: string): unknown {
  const json = parseJson(read(file))
  if (json === undefined) throw new ReceiptFault('A file is not JSON.')
  return json
}
