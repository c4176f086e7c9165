/**
 * What people do next with a checked list: thirty files of seven writers are bought at a service in this process, and opened
 * by programs of others. They read each verdict beside its value, and every source cell as before; LibreOffice sorts, filters,
 * computes and prints the workbooks.
 */
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buy } from '../../packages/command/src/buy/buy.ts'
import { startTestService } from '../support/sandbox-service.ts'
import { type ScratchDir, scratchDir } from '../support/service-process.ts'
import { FILES, HEADINGS, isWorkbook, type ListFile, resultOf, sourceOf, type Writer } from './lists.ts'
import {
  type Cell,
  hasPdfToText,
  office,
  python,
  READERS,
  type Sheets,
  textOfPdf,
  WRITERS,
  writeFiles,
} from './programs.ts'

const WRITTEN = FILES.filter(({ writer }) => WRITERS[writer].isThere)
const WORKBOOKS = WRITTEN.filter(isWorkbook)
const BESIDE = WORKBOOKS.filter(({ results }) => results === 'beside')
const TEXTS = WRITTEN.filter(
  ({ encoding, out }) => !isWorkbook({ out } as ListFile) && out !== 'jsonl' && encoding !== '',
)
const hasPython = WRITERS.openpyxl.isThere
const hasOffice = WRITERS.office.isThere

let scratch: ScratchDir
let exitCodes: ReadonlyMap<string, number>

beforeAll(async () => {
  scratch = scratchDir()
  const writers = [...new Set(WRITTEN.map(({ writer }) => writer))]
  const isOf = (writer: Writer) => WRITTEN.filter((file) => file.writer === writer)
  await Promise.all(writers.map((writer) => writeFiles(scratch.path, writer, isOf(writer))))
  const service = await startTestService()
  const codes = new Map<string, number>()
  for (const file of WRITTEN) {
    const args = ['--file', sourceOf(scratch.path, file), '--out', resultOf(scratch.path, file)]
    codes.set(file.name, await buy([file.type, ...args, '--url', service.url, '--quiet']))
  }
  exitCodes = codes
  await service.stop()
})
afterAll(() => scratch.remove())

/** Writers that this machine lacks are counted as skipped. */
test.for(FILES)('$name is bought', (file, { skip }) => {
  skip(!WRITTEN.includes(file), 'its writer is not on this machine')
  expect(exitCodes.get(file.name)).toBe(0)
})

interface Verdicts {
  /** The index of the line of the headings. */
  readonly top: number
  readonly columns: { readonly name: number; readonly value: number; readonly valid: number }
  readonly rows: readonly string[]
}

const textOf = (cell: Cell): string => (cell === null || cell === undefined ? '' : String(cell))
const TRUTH: Readonly<Record<string, string>> = { '1': 'true', '0': 'false' }
const truthOf = (cell: Cell): string => TRUTH[textOf(cell)] ?? textOf(cell).toLowerCase()
const lineOf = (name: string, value: string, valid: string) =>
  [name, value.padStart(value === '' ? 0 : 10, '0'), valid].join(' | ')

/** The rows of the sheet with the results, each as one text. */
function verdictsIn(sheets: Sheets, { type, results }: ListFile): Verdicts {
  const sheet = (results === 'sheet' ? sheets.at(-1) : sheets[0]) ?? []
  const heading = HEADINGS[type] ?? ''
  const top = sheet.findIndex((row) => row.includes('valid') && row.includes(heading))
  const at = (name: string) => sheet[top]?.indexOf(name) ?? -1
  const columns = { name: at('Name'), value: at(heading), valid: at('valid') }
  const below = sheet.slice(top + 1)
  const rows = below.map((row) =>
    lineOf(
      columns.name < 0 ? '' : textOf(row[columns.name]),
      textOf(row[columns.value]),
      truthOf(row[columns.valid]),
    ),
  )
  return { top, columns, rows: rows.filter((row) => row !== lineOf('', '', '')) }
}

const expected = ({ rows, results }: ListFile): readonly string[] =>
  rows.map(({ name, value, valid }) => lineOf(results === 'sheet' ? '' : name, value, String(valid ?? '')))

describe.each(READERS)('$name', (reader) => {
  let [before, after]: (readonly (Sheets | null)[])[] = [[], []]
  beforeAll(async () => {
    if (!reader.isThere) return
    before = await reader.read(WORKBOOKS.map((file) => sourceOf(scratch.path, file)))
    after = await reader.read(WORKBOOKS.map((file) => resultOf(scratch.path, file)))
  })
  /** Skips a file that this program cannot read even without results. */
  const sheetsOf = (file: ListFile, skip: (note: string) => never) => {
    const at = WORKBOOKS.indexOf(file)
    const source = before?.[at] ?? skip('the program does not read the source')
    return { source, result: after?.[at] ?? [] }
  }

  test.skipIf(!reader.isThere).for(WORKBOOKS)(
    'reads each verdict beside its value in $name',
    (file, { skip }) => {
      const { result } = sheetsOf(file, skip)
      const { rows, top, columns } = verdictsIn(result, file)
      expect(rows).toEqual(expected(file).filter((row) => row !== lineOf('', '', '')))
      if (!reader.hasBooleans) return
      const sheet = file.results === 'sheet' ? result.at(-1) : result[0]
      expect(typeof sheet?.[top + 1]?.[columns.valid]).toBe('boolean')
    },
  )

  test.skipIf(!reader.isThere).for(WORKBOOKS)(
    'reads the cells of the source as before in $name',
    (file, { skip }) => {
      const { source, result } = sheetsOf(file, skip)
      const cut = (sheets: Sheets) =>
        source.map((rows, sheet) =>
          rows.map((row, line) => row.map((_, column) => textOf(sheets[sheet]?.[line]?.[column]))),
        )
      expect(cut(result)).toEqual(cut(source))
    },
  )
})

describe.skipIf(!hasPython)('openpyxl', () => {
  let changes: readonly (readonly string[])[] = []
  beforeAll(async () => {
    const pairs = WORKBOOKS.map((file) => [sourceOf(scratch.path, file), resultOf(scratch.path, file)])
    changes = await python('changed', pairs)
  })

  test.each(WORKBOOKS)('finds the same formulas, styles, widths and rules in $name', (file) => {
    expect(changes[WORKBOOKS.indexOf(file)]).toEqual([])
  })
})

interface Judged {
  readonly rows: Sheets[number]
  readonly shown: readonly string[]
  readonly stops: number
  readonly texts: readonly string[]
  readonly visible: readonly number[]
}

describe.skipIf(!hasOffice || !hasPython)('in LibreOffice', () => {
  let judged: readonly Judged[] = []
  beforeAll(async () => {
    const paths = BESIDE.map((file) => resultOf(scratch.path, file))
    const ranges = await python('ranges', paths)
    const sheets: readonly Sheets[] = await python('read_openpyxl', paths)
    const jobs = BESIDE.map((file, at) => {
      const { top, columns } = verdictsIn(sheets[at] ?? [], file)
      const { filter, tables, used } = ranges[at]
      const around = used.replace(/\d+/, top + 1)
      return {
        path: paths[at],
        top,
        bottom: top + file.rows.length,
        ...columns,
        range: filter ?? tables[0] ?? around,
      }
    })
    judged = await office('judge', jobs)
  })
  const of = (file: ListFile): Judged => judged[BESIDE.indexOf(file)] as Judged
  const invalid = (file: ListFile) => file.rows.filter(({ valid }) => valid === false).length

  test.each(BESIDE)('sorted by the value, each verdict stays beside it in $name', (file) => {
    const { rows } = verdictsIn([of(file).rows], file)
    expect(rows.toSorted()).toEqual(expected(file).toSorted())
    expect(rows).not.toEqual(expected(file))
  })

  test.each(BESIDE)('formulas on the verdicts are right in $name', (file) => {
    const { rows, shown, stops, texts } = of(file)
    const words = verdictsIn([rows], file).rows.map((row) => (row.endsWith('true') ? 'pay' : 'stop'))
    expect(texts).toEqual(words)
    expect(stops).toBe(invalid(file))
    expect(shown.every((text) => ['TRUE', 'FALSE'].includes(text))).toBe(true)
  })

  test.each(BESIDE)('filtered by FALSE, the invalid rows of $name are left, and no other', (file) => {
    const { rows, visible } = of(file)
    const { top, rows: found } = verdictsIn([rows], file)
    expect(visible.map((at) => found[at - top - 1])).toEqual(found.filter((row) => row.endsWith('false')))
  })

  test.skipIf(!hasPdfToText).each(BESIDE)('printed, $name shows a verdict for each row', async (file) => {
    const path = resultOf(scratch.path, file)
    const count = (text: string, word: string) => text.split(new RegExp(`\\b${word}\\b`)).length - 1
    const all = await textOfPdf(`${path}.pdf`)
    const valid = file.rows.filter((row) => row.valid).length
    expect([count(all, 'TRUE'), count(all, 'FALSE')]).toEqual([valid, invalid(file)])
    const filtered = await textOfPdf(`${path}.filtered.pdf`)
    expect([count(filtered, 'TRUE'), count(filtered, 'FALSE')]).toEqual([0, invalid(file)])
  })
})

describe.skipIf(!hasPython).each(['csv', 'pandas'])('of texts, Python with %s', (reader) => {
  // A table between lines of dashes is none to pandas.
  const files = TEXTS.filter(({ out }) => reader === 'csv' || out !== 'txt')
  let read: readonly Sheets[] = []
  beforeAll(async () => {
    const jobs = files.map((file) => ({
      ...file,
      path: resultOf(scratch.path, file),
      above: file.has.above ?? 0,
    }))
    read = await python(`read_text_${reader}`, jobs)
  })

  test.each(files)('reads each verdict beside its value in $name', (file) => {
    expect(verdictsIn(read[files.indexOf(file)] ?? [], file).rows).toEqual(expected(file))
  })
})

test.skipIf(!WRITERS.pandas.isThere)('each line of JSON Lines has its verdict', () => {
  const files = WRITTEN.filter(({ out }) => out === 'jsonl')
  expect(files).not.toEqual([])
  for (const file of files) {
    const lines = readFileSync(resultOf(scratch.path, file), 'utf8').trim().split('\n')
    const rows = lines.map((line) => JSON.parse(line))
    const heading = HEADINGS[file.type] ?? ''
    expect(rows.map((row) => lineOf(row.Name, row[heading] ?? '', String(row.valid ?? '')))).toEqual(
      expected(file),
    )
  }
})
