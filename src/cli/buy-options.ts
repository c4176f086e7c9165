import { parseArgs } from 'node:util'
import { parseUnits } from 'viem/utils'
import { SURFACES, type Surface } from '../buyer/open-counter.ts'
import type { CheckType } from '../checks/verdict.ts'
import { readType } from './check-type.ts'
import { UsageError } from './usage-error.ts'

/** What the command line of `buy` says. */
export interface BuyOptions {
  readonly type: CheckType
  readonly url: string
  readonly surface: Surface
  /** Atomic units of USDC. */
  readonly maxAmount: bigint
  readonly json: boolean
  readonly dryRun: boolean
  readonly what: { readonly value: string } | { readonly file: string }
}

/** USDC has six decimals. */
export const DECIMALS = 6

/** Reads the arguments; throws {@link UsageError}. */
export function readBuyOptions(args: readonly string[]): BuyOptions {
  const { values, positionals } = parse(args)
  const [type, value, ...rest] = positionals
  return {
    type: readType(type),
    url: readUrl(values.url),
    surface: readSurface(values.surface),
    maxAmount: readPrice(values['max-price']),
    json: values.json,
    dryRun: values['dry-run'],
    what: readWhat(value, rest, values.file),
  }
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        url: { type: 'string', default: 'http://127.0.0.1:4021' },
        surface: { type: 'string', default: 'rest' },
        'max-price': { type: 'string', default: '0.001' },
        file: { type: 'string' },
        'dry-run': { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
      },
    })
  } catch {
    throw new UsageError(
      'buy has the options --url, --surface, --max-price, --file, --dry-run and --json.\n' +
        'Put a VALUE that begins with a dash after "--".',
    )
  }
}

function readWhat(value: string | undefined, rest: readonly string[], file: string | undefined) {
  if (rest.length > 0) throw new UsageError('buy takes one VALUE; put one with spaces in quotes')
  if (value !== undefined && file === undefined) return { value }
  if (value === undefined && file !== undefined) return { file }
  throw new UsageError('buy needs a TYPE and either one VALUE or --file')
}

function readUrl(text: string): string {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new UsageError('--url has to be an absolute URL, e.g. http://127.0.0.1:4021')
  }
  return url.href
}

function readSurface(text: string): Surface {
  const surface = SURFACES.find((each) => each === text)
  if (surface === undefined) throw new UsageError(`--surface has to be one of ${SURFACES.join(', ')}`)
  return surface
}

function readPrice(text: string): bigint {
  if (!/^[0-9]{1,9}(\.[0-9]{1,6})?$/.test(text)) {
    throw new UsageError('--max-price has to be US dollars, e.g. 0.001')
  }
  return parseUnits(text, DECIMALS)
}
