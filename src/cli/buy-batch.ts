import { createListBuyer } from '../buyer/list-buyer.ts'
import { createWallet } from '../buyer/wallet.ts'
import type { BuyOptions, ListOptions } from './buy-options.ts'
import { findBuyerKey } from './buyer-key.ts'
import { describe } from './describe-purchase.ts'
import { INTERRUPTED } from './exit-codes.ts'
import { buyList } from './list/buy-list.ts'
import { createRowFormatter } from './list/format-rows.ts'
import { openJournal } from './list/journal.ts'
import { journalOf, openOutput } from './list/list-output.ts'
import { createListProgress } from './list/list-progress.ts'
import { countFailures, createTally, describeSummary, type ListSummary } from './list/list-summary.ts'
import { openListFile } from './list/open-list-file.ts'
import type { Stop } from './list/pay-batch.ts'
import { readList } from './list/read-list.ts'
import { skillOf } from './read-values.ts'
import { fitTerminal } from './terminal-text.ts'

/** `buy TYPE --file F`: buys the checks of a list, and continues a run that was interrupted. */
export async function buyBatch(options: BuyOptions, list: ListOptions): Promise<number> {
  const { type, url, maxAmount } = options
  const wallet = createWallet(await findBuyerKey(url))
  const file = openListFile(list.file)
  const input = await readList(file.bytes, { type, format: list.input, column: list.column })
  const output = openOutput(list.out)
  const journal = openJournal(list.out === null ? null : journalOf(list.out), { type, url })
  const format = createRowFormatter(list.format, input)
  const progress = createListProgress(process.stderr, file.bytesRead, file.totalBytes)
  const tally = createTally()
  const interruption = new AbortController()
  const onInterrupt = () => {
    if (interruption.signal.aborted) process.exit(INTERRUPTED)
    interruption.abort()
    file.close()
    progress.end()
    console.error('Stopping after the payments under way; Ctrl-C again stops at once.')
  }
  process.on('SIGINT', onInterrupt)

  try {
    await output.write(format.head)
    const stop = await buyList({
      rows: input.rows,
      skill: skillOf(type),
      url,
      buyer: createListBuyer({ url, type, maxAmount }),
      wallet,
      journal,
      batch: list.batch,
      concurrency: list.concurrency,
      maxSpend: list.maxSpend,
      signal: interruption.signal,
      async write(row, result) {
        tally.add(result)
        await output.write(format.row(row, result))
        progress.show(tally.rows, journal.totals().spent)
      },
    })
    progress.end()
    const isWhole = stop === null || stop.kind === 'changed'
    await (isWhole ? output.finish() : output.abandon())
    const summary = tally.summary(journal.totals())
    report(summary, stop, options, list)
    journal.close({ isDone: stop === null })
    return exitCodeOf(stop, summary)
  } finally {
    process.off('SIGINT', onInterrupt)
    progress.end()
  }
}

function report(
  summary: ListSummary,
  stop: Stop | null,
  { json, quiet }: BuyOptions,
  { out }: ListOptions,
): void {
  if (json && out !== null) console.log(JSON.stringify({ ...summary, stopped: stop?.kind ?? null }))
  else if (!quiet || stop !== null) console.error(describeSummary(summary))
  if (stop !== null) console.error(fitTerminal(describeStop(stop, out)))
}

function describeStop(stop: Stop, out: string | null): string {
  const how =
    out === null
      ? 'With --out the list could be continued; without it a new run starts at the beginning.'
      : 'The same command continues, and pays for nothing twice.'
  const rows = out === null ? '' : ' The rows so far are in the file with the ending .part.'
  switch (stop.kind) {
    case 'interrupted':
      return `Interrupted.${rows} ${how}`
    case 'max_spend':
      return `Stopped before the payment that would pass --max-spend.${rows} ${how}`
    case 'changed':
      return (
        'A payment of an earlier run cannot be sent again, since the input no longer has all of its values. ' +
        `Its state:\n${stop.state}`
      )
    case 'not_bought':
      return `${describe(stop.outcome)}\n${how}`
  }
}

function exitCodeOf(stop: Stop | null, summary: ListSummary): number {
  if (stop === null) return countFailures(summary) === 0 ? 0 : 1
  switch (stop.kind) {
    case 'interrupted':
      return INTERRUPTED
    case 'max_spend':
      return 1
    case 'changed':
      return 3
    case 'not_bought':
      return summary.uncertain === '0' ? 1 : 3
  }
}
