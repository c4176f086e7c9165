import { INTERRUPTED } from '../../../../src/command-line/exit-codes.ts'
import { onSignals } from '../../../../src/command-line/stop-signals.ts'
import { fitTerminal, printableJson } from '../../../../src/command-line/terminal-text.ts'
import { UsageError } from '../../../../src/command-line/usage-error.ts'
import { keptEncoding } from '../../../../src/lists/encode-text.ts'
import { ownWords } from '../../../../src/lists/own-words.ts'
import { DEFAULT_NETWORK } from '../../../../src/payments/networks/networks.ts'
import { createListBuyer } from '../buyer/list-buyer.ts'
import { createWallet } from '../buyer/wallet.ts'
import { buyList, type ListPurchase } from '../list/buy-list.ts'
import { describeStop, exitCodeOf, type RunStop } from '../list/describe-stop.ts'
import { type Journal, openJournal } from '../list/journal.ts'
import {
  journalOf,
  type ListOutput,
  openOutput,
  refuseFinished,
  refuseOwnInput,
} from '../list/list-output.ts'
import { createListProgress } from '../list/list-progress.ts'
import { createTally, describeSummary, type ListSummary } from '../list/list-summary.ts'
import { isFile, onlyType, openList } from '../list/open-list-file.ts'
import { createPayer } from '../list/pay-batch.ts'
import { createBoughtCells, writeStatement } from '../list/statement.ts'
import { surveyList } from '../list/survey-list.ts'
import type { BuyOptions, ListOptions } from './buy-options.ts'
import { findBuyerKey } from './buyer-key.ts'
import { formatOf } from './list-formats.ts'
import { resultName } from './sqlite-file.ts'

/** `buy TYPE --file F`: buys the checks of a list, and continues a run that was interrupted. */
export async function buyBatch(options: BuyOptions, list: ListOptions): Promise<number> {
  const { url, network, maxAmount } = options
  const { out, columns } = list
  if (out !== null) refuseOwnInput(out, list.file)
  const wallet = createWallet(await findBuyerKey(url), network)
  // Opened first: its lock keeps a second run away from the output.
  const journal = openJournal(out === null ? null : journalOf(out), {
    type: columns.map(({ type }) => type).join('+'),
    url: network === DEFAULT_NETWORK ? url : `${url} on ${network.name}`,
  })
  const isUsed = hasPaid(journal)
  const replaces = isUsed && journal.hasOutput
  const open = async () => {
    if (out !== null && !replaces) refuseFinished(out, isUsed)
    const survey = isFile(list.file) ? await surveyList(list.file, list, 0) : null
    const input = await openList(list.file, survey?.options ?? list)
    const source = { ...list, outputFormat: formatOf(list.outputFormat, input) }
    return { survey, input, source, output: await openOutput({ ...source, input, own: ownWords, replaces }) }
  }
  const { survey, input, source, output } = await open().catch((error: unknown) => {
    journal.close({ isDone: !isUsed })
    throw error
  })
  if (
    !options.quiet &&
    input.encoding?.isGuess === true &&
    (out === null || !keptEncoding(source.outputFormat, input))
  )
    console.error(fitTerminal(GUESSED))
  const showsProgress = !options.quiet && (out !== null || !process.stdout.isTTY)
  const progress = showsProgress ? createListProgress(process.stderr, survey, maxAmount) : null
  const tally = createTally()
  const cells = createBoughtCells(journal)
  const interruption = new AbortController()
  const stopListening = onSignals(
    ['SIGINT'],
    () => {
      interruption.abort()
      input.close()
      progress?.end()
      console.error('Stopping after the payments under way; Ctrl-C again stops at once.')
    },
    () => process.exit(INTERRUPTED),
  )

  const purchase: ListPurchase = {
    rows: input.rows,
    payer: createPayer({
      url,
      buyer: createListBuyer({ url, type: onlyType(columns), maxAmount, network }),
      wallet,
      journal,
      maxSpend: list.maxSpend,
      signal: interruption.signal,
    }),
    journal,
    batch: list.batch,
    signal: interruption.signal,
    async write(row, results) {
      for (const result of results) tally.add(result)
      if (out !== null) cells.add(row)
      await output.write(row, results)
      progress?.add(() => journal.totals().spent)
    },
  }
  const stop = await run(purchase, output, async () => {
    if (out !== null && journal.payments().length > 0)
      await writeStatement({
        ...{ out, source, url, journal, input, cells, replaces },
        leftOut: tally.summary({ ...journal.totals(), repeated: 0 }).skipped,
      })
  })
  stopListening()
  progress?.end()
  const counted = tally.summary({ ...journal.totals(), repeated: 0 })
  const repeated = stop === null ? (survey?.repeated ?? counted.checked - journal.checked()) : 0
  const summary = { ...counted, repeated: Math.max(repeated, 0) }
  // A journal without payments would only keep another service or type away from the output.
  journal.close({ isDone: stop === null || !hasPaid(journal) })
  report(summary, stop, options, out)
  if (!options.quiet && (stop === null || stop.kind === 'changed'))
    for (const note of output.notes()) console.error(fitTerminal(note))
  const isOnePass = survey === null && source.outputFormat !== 'jsonl'
  if (!options.quiet && isOnePass && (input.late?.size ?? 0) > 0) console.error(fitTerminal(LATE))
  return exitCodeOf(stop, summary)
}

const GUESSED =
  'The list is read as windows-1252, and its letters are written in UTF-8. If it is in another encoding, say which with --encoding.'
const LATE =
  'Some members of the objects come too late for a column, since a pipe is read once: name a file, or write JSON Lines.'

const hasPaid = (journal: Journal): boolean => Object.values(journal.totals()).some((sum) => sum > 0n)

/** Returns failures as a stop: something may have been paid, so none may end in "nothing was sent". */
async function run(
  purchase: ListPurchase,
  output: ListOutput,
  keepEvidence: () => Promise<void>,
): Promise<RunStop | null> {
  try {
    const stop = await buyList(purchase)
    if (stop === null || stop.kind === 'changed') {
      purchase.journal.noteOutput(true)
      await output.finish().catch((error: unknown) => {
        purchase.journal.noteOutput(purchase.journal.hasOutput)
        throw error
      })
    } else output.abandon()
    if (stop === null) await keepEvidence()
    return stop
  } catch (error) {
    if (error instanceof UsageError) return { kind: 'failed', message: error.message }
    const fault = resultName(error)
    if (fault === undefined) throw error
    return { kind: 'failed', message: `the journal beside the output cannot be written (${fault})` }
  }
}

function report(
  summary: ListSummary,
  stop: RunStop | null,
  { json, quiet }: BuyOptions,
  out: string | null,
): void {
  if (json && out !== null) console.log(printableJson({ ...summary, stopped: stop?.kind ?? null }))
  else if (!quiet || stop !== null) console.error(describeSummary(summary))
  if (stop === null && summary.checked === 0) console.error('No values found. Nothing was paid.')
  if (stop !== null) console.error(fitTerminal(describeStop(stop, out)))
}
