import { once } from 'node:events'
import { closeSync, fstatSync, fsyncSync, lstatSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { resolve } from 'node:path'
import { styleText } from 'node:util'
import { asUsageError, UsageError } from '../../../../src/command-line/usage-error.ts'
import { placeFile } from '../../../../src/files/place-file.ts'
import { outputEncoding } from '../../../../src/lists/encode-text.ts'
import type { InputRow } from '../../../../src/lists/input-row.ts'
import type { ownWords } from '../../../../src/lists/own-words.ts'
import type { RowResult } from '../../../../src/lists/results.ts'
import { openWorkbook } from '../../../../src/lists/workbook/write-workbook.ts'
import { createRowFormatter, type OutputFormat } from '../../../../src/lists/write-rows.ts'
import type { OpenList } from './open-list-file.ts'

export interface ListOutput {
  write(row: InputRow, results: readonly RowResult[]): Promise<void>
  /** Renames the complete file from its temporary name. */
  finish(): Promise<void>
  /** Leaves an incomplete file under its temporary name. */
  abandon(): void
  /** What a person should know of the finished output. */
  notes(): readonly string[]
}

export interface OutputOptions {
  /** Null for standard output. */
  readonly out: string | null
  readonly outputFormat: OutputFormat | 'workbook'
  readonly input: OpenList
  readonly own: typeof ownWords
  /** Whether a CSV has a byte order mark; as its list if undefined. */
  readonly bom?: boolean | undefined
  /** Whether what has the name of the output is of an earlier run on the list. */
  readonly replaces: boolean
}

const BUFFER_CHARACTERS = 64 * 1024

/** Rows of a run that did not reach the end. */
const partOf = (path: string): string => `${path}.part`

export const journalOf = (path: string): string => `${path}.journal`

/** The statement and its page beside a file of results: `x.csv` has `x.statement.json` and `x.statement.html`. */
export const statementOf = (out: string, ending: 'json' | 'html'): string =>
  `${out.replace(/\.[^./\\]*$/, '')}.statement.${ending}`

/**
 * What is there is never overwritten, but by the run that goes on with it; without its journal the same list would be paid
 * for again. `isContinued`: the journal has payments, which another name would leave behind.
 */
export function refuseFinished(path: string, isContinued: boolean): void {
  const advice = `move it away${isContinued ? '' : ', or choose another name'}`
  if (exists(path)) throw new UsageError(`--out names a file that exists; ${advice}`)
  if (exists(statementOf(path, 'json')))
    throw new UsageError(`beside --out is a statement, which would be lost; ${advice}`)
}

export function refuseExisting(path: string): void {
  if (exists(path)) throw new UsageError('--out names a file that exists; choose another name')
}

/** True also for a link that leads nowhere. */
const exists = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined

/** What a run writes must not be what it reads. */
export function refuseOwnInput(out: string, file: string): void {
  const written = [out, partOf(out), journalOf(out), statementOf(out, 'json'), statementOf(out, 'html')]
  if (written.some((path) => resolve(path) === resolve(file)))
    throw new UsageError('--file names a file that would be written for --out; choose another name')
}

/** Opens standard output, in UTF-8, or a file readable by its owner only. */
export async function openOutput(options: OutputOptions): Promise<ListOutput> {
  const { out, outputFormat, input, own, replaces, bom } = options
  if (outputFormat === 'workbook') return openWorkbookOutput(options)
  const encoding = outputEncoding(outputFormat, input, bom)
  const list = out !== null && /\.tsv$/i.test(out) ? { ...input, delimiter: '\t' } : input
  const format = createRowFormatter(outputFormat, list, { own, ...(out === null ? {} : encoding) })
  const sink = out === null ? STANDARD_OUTPUT : openFile(out, encoding, replaces)
  await sink.write(format.head)
  const paint = out !== null ? asItIs : outputFormat === 'table' ? coloured : onTerminal
  return { ...sink, write: (row, results) => sink.write(paint(format.row(row, ...results), results)) }
}

const asItIs = (text: string): string => text

/** On a terminal, without characters of a service that would move what the reader sees. */
const onTerminal = (text: string): string =>
  process.stdout.isTTY ? text.replace(/\r(?!\n)|[^\P{Cc}\t\r\n]/gu, '') : text

/** Colours the verdicts on a terminal, which stand before the input; NO_COLOR forbids it. */
function coloured(text: string, results: readonly RowResult[]): string {
  let left = results.length
  return text.replace(/\b(?:valid|invalid|skipped)\b/g, (word) => {
    left -= 1
    return left < 0 ? word : styleText(COLOURS[word] ?? 'yellow', word, { stream: process.stdout })
  })
}

const COLOURS: Readonly<Record<string, 'green' | 'red'>> = { valid: 'green', invalid: 'red' }

/** Writes the input workbook with the results at the end; one that cannot be written is refused before anything is bought. */
async function openWorkbookOutput({ out, input, own, replaces }: OutputOptions): Promise<ListOutput> {
  if (out === null) throw new UsageError('a workbook is written into a file; name it with --out')
  const workbook = await openWorkbook(input, own).catch(asUsageError)
  return {
    write: async (row, results) => workbook.row(row, ...results),
    finish: async () => writePrivate(out, [await workbook.bytes().catch(asUsageError)], replaces),
    abandon: () => {},
    notes: () =>
      workbook.apart === null
        ? []
        : [`The results are in the sheet "${workbook.apart.sheet}", since ${workbook.apart.why}.`],
  }
}

interface Sink extends Omit<ListOutput, 'write'> {
  write(text: string): Promise<void>
}

const STANDARD_OUTPUT: Sink = {
  async write(text) {
    if (!process.stdout.write(text)) await once(process.stdout, 'drain')
  },
  finish: async () => {},
  abandon: () => {},
  notes: () => [],
}

/** Writes a whole file, readable by its owner only, under its name once it is complete. */
export function writePrivate(path: string, parts: Iterable<Uint8Array>, replaces: boolean): void {
  const file = openPart(path)
  for (const part of parts) writeAll(file, part)
  finishPart(file, path, replaces)
}

/** Opens a new file: that of an earlier run may be readable by others, or a link to somewhere else. */
function openPart(path: string): number {
  return guarded(() => {
    rmSync(partOf(path), { force: true })
    return openSync(partOf(path), 'wx+', 0o600)
  })
}

function writeAll(file: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += guarded(() => writeSync(file, bytes, at))
}

/** Moves what is in a file, from its end on, to make room for a byte order mark: only at the end is it known to be needed. */
function putInFront(file: number, mark: Uint8Array): void {
  if (mark.length === 0) return
  const block = new Uint8Array(BUFFER_CHARACTERS)
  for (let end = fstatSync(file).size; end > 0; end -= block.length) {
    const start = Math.max(0, end - block.length)
    const read = guarded(() => readSync(file, block, 0, end - start, start))
    guarded(() => writeSync(file, block, 0, read, start + mark.length))
  }
  guarded(() => writeSync(file, mark, 0, mark.length, 0))
}

function finishPart(file: number, path: string, replaces: boolean): void {
  guarded(() => fsyncSync(file))
  closeSync(file)
  guarded(() => placeFile(partOf(path), path, { replaces }))
}

type Encoding = ReturnType<typeof outputEncoding>

function openFile(path: string, { encode, mark, note }: Encoding, replaces: boolean): Sink {
  const file = openPart(path)
  let buffered = ''
  const flush = () => {
    if (buffered === '') return
    writeAll(file, encode(buffered))
    buffered = ''
  }
  return {
    async write(text) {
      buffered += text
      if (buffered.length >= BUFFER_CHARACTERS) flush()
    },
    async finish() {
      flush()
      putInFront(file, mark())
      finishPart(file, path, replaces)
    },
    abandon() {
      flush()
      closeSync(file)
    },
    notes: () => [note() ?? []].flat(),
  }
}

function guarded<T>(act: () => T): T {
  try {
    return act()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST')
      throw new UsageError('a file has got the name of the output or of its statement; move it away')
    throw new UsageError(`--out cannot be written (${code})`)
  }
}
