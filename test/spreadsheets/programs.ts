/** The programs of others: which of them this machine has, how they write a list, and how they read one. */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { HEADINGS, type ListFile, sourceOf, type Writer } from './lists.ts'

export type Cell = string | number | boolean | null | undefined
/** The rows of each sheet. */
export type Sheets = readonly (readonly (readonly Cell[])[])[]

/** Debian's: it has openpyxl, pandas and UNO. */
const PYTHON = '/usr/bin/python3'
const FOLDER = join(import.meta.dirname, 'programs')

const isThere = (program: string, ...args: readonly string[]): boolean =>
  spawnSync(program, args, { stdio: 'ignore' }).status === 0

const hasOffice = isThere('soffice', '--version') && isThere(PYTHON, '-c', 'import uno')
const hasPython = isThere(PYTHON, '-c', 'import openpyxl, pandas')
const hasGnumeric = isThere('ssconvert', '--version')
const hasLibraries = existsSync(join(import.meta.dirname, 'node_modules/exceljs'))
export const hasPdfToText = isThere('pdftotext', '-v')

/** Standard output of a program; rejects if it ends with another code than 0. */
function run(program: string, args: readonly string[], input = ''): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'] })
  const [out, errors]: [Buffer[], Buffer[]] = [[], []]
  child.stdout.on('data', (chunk) => out.push(chunk))
  child.stderr.on('data', (chunk) => errors.push(chunk))
  child.once('error', reject)
  child.once('close', (code) =>
    code === 0
      ? resolve(Buffer.concat(out).toString())
      : reject(new Error(`${program} ${args.join(' ')}: ${Buffer.concat(errors)}`)),
  )
  child.stdin.on('error', () => {}).end(input)
  return promise
}

const asked = async (program: string, args: readonly string[], jobs: readonly unknown[]) =>
  JSON.parse(await run(program, args, JSON.stringify(jobs)))

export const python = (act: string, jobs: readonly unknown[]) =>
  asked(PYTHON, [join(FOLDER, 'python.py'), act], jobs)
export const office = (act: string, jobs: readonly unknown[]) =>
  asked(PYTHON, [join(FOLDER, 'office.py'), act], jobs)
const libraries = (act: string, jobs: readonly unknown[]) =>
  asked(process.execPath, [join(FOLDER, 'libraries.ts'), act], jobs)
export const textOfPdf = (path: string): Promise<string> => run('pdftotext', ['-layout', path, '-'])

interface WriterProgram {
  readonly isThere: boolean
  write(jobs: readonly (ListFile & { readonly path: string })[]): Promise<unknown>
}

export const WRITERS: Readonly<Record<Writer, WriterProgram>> = {
  office: { isThere: hasOffice, write: (jobs) => office('make', jobs) },
  openpyxl: { isThere: hasPython, write: (jobs) => python('openpyxl', jobs) },
  pandas: { isThere: hasPython, write: (jobs) => python('pandas', jobs) },
  exceljs: { isThere: hasLibraries, write: (jobs) => libraries('exceljs', jobs) },
  sheetjs: { isThere: hasLibraries, write: (jobs) => libraries('sheetjs', jobs) },
  gnumeric: {
    isThere: hasGnumeric && hasPython,
    async write(jobs) {
      const first = (path: string) => `${path}.openpyxl.xlsx`
      await python(
        'openpyxl',
        jobs.map((job) => ({ ...job, path: first(job.path) })),
      )
      for (const { path } of jobs) await run('ssconvert', [first(path), path])
    },
  },
  text: {
    isThere: hasPython,
    async write(jobs) {
      for (const job of jobs) writeFileSync(job.path, textOf(job))
      await python('encode', jobs)
    },
  },
}

/** As accounts programs write them: quotes around every text, a line of the format, a table between lines of dashes. */
function textOf({ rows, delimiter, has, name, ...job }: ListFile): string {
  const heading = HEADINGS[job.type] ?? ''
  const lines = [
    ['Name', heading, 'Betrag'],
    ...rows.map((row) => [row.name, row.value, row.amount.toFixed(2)]),
  ]
  if (delimiter === '|') {
    const dashes = '-'.repeat(60)
    return [dashes, ...lines.map((cells) => `|${cells.join('|')}|`), dashes, ''].join('\r\n')
  }
  const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`
  const above = has.above === undefined ? [] : ['"EXTF";700;16;"Debitoren/Kreditoren";5']
  return [
    ...above,
    ...lines.map((cells) => cells.map((cell) => quoted(cell ?? '')).join(delimiter)),
    '',
  ].join('\r\n')
}

/** Writes all files of a writer into a folder. */
export const writeFiles = (folder: string, writer: Writer, files: readonly ListFile[]) =>
  WRITERS[writer].write(
    files.map((file) => ({ ...file, heading: HEADINGS[file.type], path: sourceOf(folder, file) })),
  )

export interface Reader {
  readonly name: string
  readonly isThere: boolean
  /** Whether it tells a boolean from a text and a number. */
  readonly hasBooleans: boolean
  /** Null for a file that it cannot read. */
  read(paths: readonly string[]): Promise<readonly (Sheets | null)[]>
}

const each = async (paths: readonly string[], read: (path: string) => Promise<Sheets>) => {
  const found: (Sheets | null)[] = []
  for (const path of paths) found.push(await read(path).catch(() => null))
  return found
}
const rowsOf = (csv: string): Sheets[number] =>
  parse(csv, { relax_column_count: true, skip_empty_lines: false })

/** Each sheet into a file of its own. */
async function readWithGnumeric(path: string): Promise<Sheets> {
  const folder = `${path}.gnumeric`
  mkdirSync(folder, { recursive: true })
  await run('ssconvert', [
    '--export-file-per-sheet',
    '--export-type=Gnumeric_stf:stf_csv',
    path,
    join(folder, '%n.csv'),
  ])
  const files = globSync(join(folder, '*.csv')).toSorted()
  return Promise.all(files.map(async (file) => rowsOf(await run('cat', [file]))))
}

async function readWithXlsx2csv(path: string): Promise<Sheets> {
  const texts = (await run('xlsx2csv', ['--all', path])).split(/^-{8} \d+ - .*\n/m).slice(1)
  return texts.map(rowsOf)
}

/** Programs that read workbooks. */
export const READERS: readonly Reader[] = [
  { name: 'LibreOffice', isThere: hasOffice, hasBooleans: false, read: (paths) => office('read', paths) },
  {
    name: 'Gnumeric',
    isThere: hasGnumeric,
    hasBooleans: false,
    read: (paths) => each(paths, readWithGnumeric),
  },
  ...(['openpyxl', 'pandas'] as const).map((name) => ({
    ...{ name, isThere: hasPython, hasBooleans: true },
    read: (paths: readonly string[]) => python(`read_${name}`, paths),
  })),
  ...['exceljs', 'sheetjs', 'read_excel_file', 'xlsx_populate'].map((name) => ({
    ...{ name, isThere: hasLibraries, hasBooleans: true },
    read: (paths: readonly string[]) => libraries(`read_${name}`, paths),
  })),
  {
    ...{ name: 'xlsx2csv', isThere: isThere('xlsx2csv', '--version'), hasBooleans: false },
    read: (paths) => each(paths, readWithXlsx2csv),
  },
  {
    ...{ name: 'Spreadsheet::ParseXLSX', hasBooleans: false },
    isThere: isThere('perl', '-MSpreadsheet::ParseXLSX', '-MJSON::PP', '-e', '1'),
    read: (paths) => asked('perl', [join(FOLDER, 'read.pl')], paths),
  },
]
