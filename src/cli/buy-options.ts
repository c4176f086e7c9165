import { parseUnits } from 'viem/utils'
import type { Surface } from '../buyer/open-client.ts'
import type { CheckType } from '../checks/verdict.ts'
import { readType } from './check-type.ts'
import { COMMANDS } from './commands.ts'
import { parseArguments } from './parse-arguments.ts'
import { UsageError } from './usage-error.ts'

/** The arguments of `buy`. */
export interface BuyOptions {
  readonly type: CheckType
  readonly url: string
  readonly surface: Surface
  /** Atomic units of USDC. */
  readonly maxAmount: bigint
  readonly json: boolean
  readonly quiet: boolean
  readonly dryRun: boolean
  readonly source: { readonly value: string } | { readonly file: string }
}

/** USDC has six decimals. */
export const DECIMALS = 6

/** Reads the arguments of `buy`; throws {@link UsageError}. */
export function readBuyOptions(args: readonly string[]): BuyOptions {
  const { values, positionals } = parseArguments(COMMANDS.buy, args)
  const [type, value, ...rest] = positionals
  return {
    type: readType(type),
    url: readUrl(values.url),
    surface: values.surface as Surface,
    maxAmount: readUsd('--max-price', values['max-price']),
    json: values.json,
    quiet: values.quiet,
    dryRun: values['dry-run'],
    source: readSource(value, rest, values.file),
  }
}

function readSource(value: string | undefined, rest: readonly string[], file: string | undefined) {
  if (rest.length > 0) throw new UsageError('buy takes one VALUE; put one with spaces in quotes')
  if (value === '') throw new UsageError('VALUE is empty; nothing was sent')
  if (value !== undefined && file === undefined) return value === '-' ? { file: value } : { value }
  if (value === undefined && file !== undefined) return { file }
  throw new UsageError('buy needs a TYPE and either one VALUE or --file')
}

/** Reads an absolute web address. */
export function readUrl(text: string): string {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new UsageError('--url must be an absolute URL, e.g. http://127.0.0.1:4021')
  }
  return url.href
}

/** Reads US dollars as atomic units of USDC. */
export function readUsd(option: string, text: string): bigint {
  if (!/^[0-9]{1,9}(\.[0-9]{1,6})?$/.test(text)) {
    throw new UsageError(`${option} must be US dollars, e.g. 0.001`)
  }
  return parseUnits(text, DECIMALS)
}
