import type { CheckType } from 'format-checker-checks/verdict'
import { parseUnits } from 'viem/utils'
import { COMMANDS } from '../../../../src/command-line/commands.ts'
import { type ParsedArguments, parseArguments } from '../../../../src/command-line/parse-arguments.ts'
import { UsageError } from '../../../../src/command-line/usage-error.ts'
import type { ReadListOptions } from '../../../../src/lists/input-row.ts'
import type { Network } from '../../../../src/payments/networks/network.ts'
import { networkNamed } from '../../../../src/payments/networks/networks.ts'
import { USDC_DECIMALS } from '../../../../src/payments/networks/usdc.ts'
import type { Surface } from '../buyer/open-client.ts'
import { readType, typeOfHeading } from '../check-type.ts'
import type { ListColumn } from '../list/open-list-file.ts'
import { inputFormat, outputFormat, type WantedFormat } from './list-formats.ts'
import { readRpcUrl, readUrl } from './read-url.ts'

export interface BuyOptions {
  /** Of a list, that of the first column. */
  readonly type: CheckType
  readonly url: string
  readonly network: Network
  readonly surface: Surface
  /** Atomic units of USDC. */
  readonly maxAmount: bigint
  readonly json: boolean
  readonly quiet: boolean
  readonly dryRun: boolean
  readonly source: { readonly value: string } | ListOptions
  /** Null to pay for each check by itself. */
  readonly channel: ChannelOptions | null
}

export interface ChannelOptions {
  /** Atomic units. */
  readonly deposit: bigint
  /** Atomic units; null for no bound. */
  readonly maxSpend: bigint | null
  /** Null for the default place. */
  readonly file: string | null
  /** Null for a public node, or for the node of a sandbox if its test buyer pays. */
  readonly rpcUrl: string | null
}

export interface ListOptions {
  /** "-" for standard input. */
  readonly file: string
  readonly format: ReadListOptions['format']
  readonly columns: Columns
  readonly encoding: ReadListOptions['encoding']
  readonly sheet: string | undefined
  /** Null for standard output. */
  readonly out: string | null
  readonly outputFormat: WantedFormat
  /** True to write a byte order mark into a CSV; undefined as its list. */
  readonly bom: true | undefined
  readonly batch: number
  /** Atomic units. */
  readonly maxSpend: bigint | null
}

/** Reads the arguments of `buy`; throws {@link UsageError}. */
export function readBuyOptions(args: readonly string[]): BuyOptions {
  const { values, positionals } = parseArguments(COMMANDS.buy, args)
  const [named, value, ...rest] = positionals
  const columns = readColumns(named, values.column)
  return {
    type: columns[0].type,
    url: readUrl(values.url),
    network: readNetwork(values.network),
    surface: values.surface as Surface,
    maxAmount: readUsd('--max-price', values['max-price']),
    json: values.json,
    quiet: values.quiet,
    dryRun: values['dry-run'],
    source: readSource(value, rest, values, columns),
    channel: readChannelOptions(values),
  }
}

const CHANNEL_ONLY = ['deposit', 'channel-file', 'rpc-url'] as const
const DEFAULT_DEPOSIT = '0.25'

function readChannelOptions(values: BuyValues): ChannelOptions | null {
  if (!values.channel) {
    const misplaced = CHANNEL_ONLY.find((name) => values[name] !== undefined)
    if (misplaced !== undefined) throw new UsageError(`--${misplaced} is for channels only, with --channel`)
    return null
  }
  if (values.surface !== 'rest') throw new UsageError('--channel pays over rest only')
  return {
    deposit: readUsd('--deposit', values.deposit ?? DEFAULT_DEPOSIT),
    maxSpend: readMaxSpend(values),
    file: values['channel-file'] ?? null,
    rpcUrl: readRpcUrl(values['rpc-url']),
  }
}

type BuyValues = ParsedArguments<typeof COMMANDS.buy>['values']

const LIST_ONLY = [
  'input',
  'column',
  'encoding',
  'sheet',
  'out',
  'format',
  'bom',
  'batch',
  'max-spend',
] as const

type Columns = readonly [ListColumn, ...ListColumn[]]

/** Reads the columns to check: one of TYPE, or without TYPE those that name their own types. */
function readColumns(type: string | undefined, [first, ...others]: readonly string[] = []): Columns {
  if (type === undefined && first !== undefined) {
    const columns: Columns = [readColumn(first), ...others.map(readColumn)]
    if (new Set(columns.map((each) => `${each.type}=${each.column?.toLowerCase()}`)).size < columns.length)
      throw new UsageError('a column is named twice with the same type')
    return columns
  }
  if (others.length === 0) return [{ type: readType(type), column: first }]
  throw new UsageError('several columns name their own types: leave TYPE out, or say --column NAME=TYPE')
}

/** Reads `NAME=TYPE`, or a column whose name is that of a type. */
function readColumn(text: string): ListColumn {
  const [, column = text, named] = /^(.+)=([a-z-]+)$/is.exec(text) ?? []
  const type = named === undefined ? typeOfHeading(text) : readType(named)
  if (type !== undefined) return { type, column }
  throw new UsageError('the name of a column is not that of a type; say it behind: --column NAME=TYPE')
}

function readSource(value: string | undefined, rest: readonly string[], values: BuyValues, columns: Columns) {
  if (rest.length > 0) throw new UsageError('buy takes one VALUE; put one with spaces in quotes')
  if (value === '') throw new UsageError('VALUE is empty; nothing was sent')
  if ((value === undefined) === (values.file === undefined)) {
    throw new UsageError('buy needs a TYPE and either one VALUE or --file')
  }
  const file = values.file ?? (value === '-' ? value : undefined)
  if (file !== undefined) return readListOptions(file, values, columns)
  const misplaced = LIST_ONLY.find(
    (name) =>
      values[name] !== undefined && values[name] !== false && !(name === 'max-spend' && values.channel),
  )
  if (misplaced !== undefined) throw new UsageError(`--${misplaced} is for lists only, with --file`)
  return { value: value ?? '' }
}

const DEFAULT_BATCH = 500
/** The most values a service takes in one payment. */
const MOST_BATCH = 1_000

function readListOptions(file: string, values: BuyValues, columns: Columns): ListOptions {
  if (values.surface !== 'rest') throw new UsageError('lists are bought over rest only')
  if (values.channel)
    throw new UsageError('--channel pays for single values; a list has a payment for each batch')
  const out = values.out === undefined || values.out === '-' ? null : values.out
  const format = outputFormat(values, out)
  if (values.bom && (out === null || (format !== 'csv' && format !== 'as_list')))
    throw new UsageError('--bom is for a CSV, with --out')
  return {
    file,
    format: (values.input ?? inputFormat(file)) as ReadListOptions['format'],
    columns,
    encoding: values.encoding as ReadListOptions['encoding'],
    sheet: values.sheet,
    out,
    outputFormat: format,
    bom: values.bom ? true : undefined,
    batch: readBatch(values.batch),
    maxSpend: readMaxSpend(values),
  }
}

const readMaxSpend = ({ 'max-spend': text }: BuyValues): bigint | null =>
  text === undefined ? null : readUsd('--max-spend', text)

function readBatch(text: string | undefined): number {
  if (text === undefined) return DEFAULT_BATCH
  const count = /^[1-9][0-9]{0,4}$/.test(text) ? Number(text) : 0
  if (count < 1 || count > MOST_BATCH)
    throw new UsageError(`--batch must be a number from 1 to ${MOST_BATCH}`)
  return count
}

export function readNetwork(text: string): Network {
  const network = networkNamed(text)
  if (typeof network === 'string') throw new UsageError(`--network ${network}`)
  return network
}

/** Reads US dollars as atomic units of USDC. */
export function readUsd(option: string, text: string): bigint {
  if (!/^[0-9]{1,9}(\.[0-9]{1,6})?$/.test(text)) {
    throw new UsageError(`${option} must be US dollars, e.g. 0.001`)
  }
  return parseUnits(text, USDC_DECIMALS)
}
