import { once } from 'node:events'
import { parseArgs } from 'node:util'
import { formatUnits } from 'viem/utils'
import { ConfigError, readConfig } from '../config.ts'
import { eachRow } from '../payments/recovery/paginate-payments.ts'
import { openBooks } from './open-books.ts'
import { type ExportFormat, exportCounts, exportSales } from './sales-export.ts'
import { UsageError } from './usage-error.ts'

const DAY_MS = 86_400_000
const EARLIEST_DAY = '2000-01-01'
/** USDC has six decimals. */
const DECIMALS = 6

/** `stats`: exports what was sold, or the daily counts, from the books of the configured service. */
export async function stats(args: readonly string[]): Promise<number> {
  const { from, to, format, counts } = readArguments(args)
  const config = readSettings()
  const books = await openBooks(config)
  try {
    if (counts) {
      await exportCounts(await books.counts(from, to), format, write)
      return 0
    }
    const [start, end] = [Date.parse(from), Date.parse(to) + DAY_MS]
    const rows = eachRow((limit, after) => books.settled(start, end, limit, after))
    const { sales, amount, missing } = await exportSales(rows, format, write)
    // Beside the export, so that what is piped on holds sales alone.
    console.error(
      `${config.mode === 'sandbox' ? 'SANDBOX ' : ''}${sales} sales, ${formatUnits(amount, DECIMALS)} USDC`,
    )
    if (missing > 0)
      console.error(`${missing} of them have no transfer on the chain: see their column "audit"`)
    return 0
  } finally {
    await books.close()
  }
}

function readArguments(args: readonly string[]) {
  const { values } = parse(args)
  const { format, counts } = values
  if (format !== 'csv' && format !== 'json') throw new UsageError('--format has to be csv or json')
  const from = readDay('--from', values.from)
  const to = readDay('--to', values.to ?? new Date().toISOString().slice(0, 10))
  if (to < from) throw new UsageError('--to has to be on or after --from')
  return { from, to, format: format as ExportFormat, counts }
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        from: { type: 'string', default: EARLIEST_DAY },
        to: { type: 'string' },
        format: { type: 'string', default: 'csv' },
        counts: { type: 'boolean', default: false },
      },
    })
  } catch {
    throw new UsageError('stats has the options --from, --to, --format and --counts')
  }
}

/** A day of the calendar in UTC. */
function readDay(option: string, text: string): string {
  const date = /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(text) : new Date(Number.NaN)
  const day = Number.isNaN(date.getTime()) ? '' : date.toISOString().slice(0, 10)
  if (day !== text) throw new UsageError(`${option} has to be a day, e.g. 2026-11-20`)
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
