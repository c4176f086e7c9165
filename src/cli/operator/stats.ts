import { once } from 'node:events'
import { COMMANDS } from '../../command-line/commands.ts'
import { NOT_DONE } from '../../command-line/exit-codes.ts'
import { parseArguments } from '../../command-line/parse-arguments.ts'
import { UsageError } from '../../command-line/usage-error.ts'
import { type Config, ConfigError, readConfig } from '../../config.ts'
import type { ChannelRow } from '../../ledger/channels/channel-row.ts'
import type { LedgerReader } from '../../ledger/ledger.ts'
import type { PaymentRow } from '../../ledger/payments/payment-row.ts'
import { StoreUnavailable, withReason } from '../../ledger/store/store-unavailable.ts'
import { usdc } from '../../payments/networks/format-usdc.ts'
import { SALE_COLUMNS, saleFields } from '../../surfaces/admin/sales/sales-csv.ts'
import { paginate } from '../../values/paginate.ts'
import { DAY_MS } from '../../values/utc-days.ts'
import { exportRows } from './export-rows.ts'
import { openLedgerReader } from './open-ledger-reader.ts'

const COUNT_COLUMNS = ['day', 'surface', 'type', 'outcome', 'count'] as const

/** `stats`: writes the sales, counts or channels of the configured store as CSV or JSON. */
export async function stats(args: readonly string[]): Promise<number> {
  try {
    return await exportStore(args)
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error
    const { code } = (error.cause ?? {}) as NodeJS.ErrnoException
    const words = withReason(error)
    console.error(code === undefined || words.includes(code) ? words : `${words} (${code})`)
    return NOT_DONE
  }
}

async function exportStore(args: readonly string[]): Promise<number> {
  const asked = readArguments(args)
  const config = readSettings()
  const ledger = await openLedgerReader(config)
  try {
    if (asked.channels) await exportChannels(ledger, asked)
    else if (asked.counts) await exportCounts(ledger, asked)
    else await exportSales(ledger, config, asked)
    return 0
  } finally {
    await ledger.close()
  }
}

type Asked = ReturnType<typeof readArguments>

async function exportChannels(ledger: LedgerReader, { format }: Asked): Promise<void> {
  const rows = mapped(
    paginate<ChannelRow>((limit, after) => ledger.listChannels(limit, after?.id)),
    (row) => Object.fromEntries(Object.entries(CHANNEL_FIELDS).map(([name, of]) => [name, of(row)])),
  )
  await exportRows({ name: 'channels', columns: Object.keys(CHANNEL_FIELDS), rows }, format, write)
}

async function exportCounts(ledger: LedgerReader, { from, to, format }: Asked): Promise<void> {
  const rows = (await ledger.counts(from, to)).map(({ checkType: type, ...cell }) => ({ ...cell, type }))
  await exportRows({ name: 'counts', columns: COUNT_COLUMNS, rows }, format, write)
}

/** Without `--quiet` their number and sum go to standard error. */
async function exportSales(ledger: LedgerReader, config: Config, asked: Asked): Promise<void> {
  const [start, end] = [Date.parse(asked.from), Date.parse(asked.to) + DAY_MS]
  let [sales, amount, missing] = [0, 0n, 0]
  const payments = paginate<PaymentRow>((limit, after) => ledger.settled(start, end, limit, after))
  const rows = mapped(payments, (row) => {
    sales += 1
    amount += row.amount
    if (row.audit === 'missing') missing += 1
    return saleFields(row, config.app.ownPayers)
  })
  const total = () => ({ total: { sales, amount_atomic: amount.toString(), missing } })
  await exportRows({ name: 'sales', columns: SALE_COLUMNS, rows, total }, asked.format, write)
  if (asked.quiet) return
  console.error(`${config.mode === 'sandbox' ? 'SANDBOX ' : ''}${sales} sales, ${usdc(amount)}`)
  if (missing > 0)
    console.error(`${missing} of them have no transfer on the chain: see the column "on_chain"`)
}

async function* mapped<Row, Fields>(
  rows: AsyncIterable<Row>,
  toFields: (row: Row) => Fields,
): AsyncGenerator<Fields> {
  for await (const row of rows) yield toFields(row)
}

const isoTime = (ms: number) => new Date(ms).toISOString()

/** Amounts are in atomic units of USDC, a million per dollar. */
const CHANNEL_FIELDS: Readonly<Record<string, (row: ChannelRow) => string>> = {
  channel: ({ id }) => id,
  payer: ({ config }) => config.payer,
  opened: ({ openedAt }) => isoTime(openedAt),
  lastCall: ({ lastCall }) => isoTime(lastCall.chargedAt),
  calls: ({ calls }) => String(calls),
  balance: ({ balance }) => String(balance),
  charged: ({ charged }) => String(charged),
  claimed: ({ totalClaimed }) => String(totalClaimed),
  withdrawRequested: ({ withdrawRequestedAt: at }) => (at === 0 ? '' : isoTime(at * 1000)),
}

function readArguments(args: readonly string[]) {
  const { values } = parseArguments(COMMANDS.stats, args)
  const { json, counts, channels, quiet } = values
  const from = readDay('--from', values.from)
  const to = readDay('--to', values.to ?? new Date().toISOString().slice(0, 10))
  if (to < from) throw new UsageError('--to must be on or after --from')
  const wholeTime = values.from === COMMANDS.stats.options.from.default && values.to === undefined
  if (channels && counts) throw new UsageError('--channels contradicts --counts; give one of them')
  if (channels && !wholeTime)
    throw new UsageError('--channels shows channels as they are now, without --from and --to')
  return { from, to, format: json ? ('json' as const) : ('csv' as const), counts, channels, quiet }
}

function readDay(option: string, text: string): string {
  const date = /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(text) : new Date(Number.NaN)
  const day = Number.isNaN(date.getTime()) ? '' : date.toISOString().slice(0, 10)
  if (day !== text) throw new UsageError(`${option} must be a day, e.g. 2026-11-20`)
  return day
}

function readSettings() {
  try {
    return readConfig()
  } catch (error) {
    if (error instanceof ConfigError) throw new UsageError(error.message)
    throw error
  }
}

async function write(text: string): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain')
}
