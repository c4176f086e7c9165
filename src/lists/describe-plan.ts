import { describeList } from './describe-list.ts'
import { keptEncoding } from './encode-text.ts'
import type { ListInput } from './input-row.ts'
import type { OutputFormat } from './write-rows.ts'

export interface LeftOutCells {
  readonly count: number
  readonly lines: readonly number[]
}

const MOST_LINES = 3

export function createLeftOut() {
  const cells = new Map<string, { count: number; lines: number[] }>()
  return {
    add(code: string, line: number) {
      const found = cells.get(code) ?? { count: 0, lines: [] }
      found.count += 1
      if (found.lines.length < MOST_LINES) found.lines.push(line)
      cells.set(code, found)
    },
    cells: cells as ReadonlyMap<string, LeftOutCells>,
  }
}

/**
 * The list and what will be done with it, as lines with a title. The dry run and the page show the same, but the page shows
 * codes in words.
 */
export function describePlan(
  list: Omit<ListInput, 'rows'>,
  leftOut: ReadonlyMap<string, LeftOutCells>,
  output: string | null,
  nameOf: (code: string) => string = (code) => code,
): readonly (readonly [title: string, text: string])[] {
  const described = describeList(list)
  const columns = list.header.length > 1 ? described.columns : []
  return [
    ['file', described.file],
    ...columns.map((text) => ['column', text] as const),
    ...list.columns.flatMap(({ others = [] }) => others.map((text) => ['not', text] as const)),
    ...(list.doubts ?? []).map((text) => ['note', text] as const),
    ...[...leftOut].map(
      ([code, { count, lines }]) => ['left out', leftOutText(nameOf(code), count, lines)] as const,
    ),
    ...(output === null ? [] : [['output', output] as const]),
  ]
}

function leftOutText(name: string, count: number, lines: readonly number[]): string {
  const rows = `row${lines.length === 1 ? '' : 's'} ${lines.join(', ')}${count > lines.length ? ', …' : ''}`
  return `${count} ${name}, free: ${rows}`
}

/** What a file of results will be. `apart` is why a workbook gets them in a sheet of their own. */
export function describeOutput(
  format: OutputFormat | 'workbook',
  list: Pick<ListInput, 'format' | 'encoding' | 'delimiter'>,
  apart: { readonly sheet: string; readonly why: string } | null = null,
): string {
  switch (format) {
    case 'workbook':
      return apart === null
        ? 'the workbook, with the results behind its last column'
        : `the workbook, with the results in the sheet "${apart.sheet}", since ${apart.why}`
    case 'jsonl':
      return 'JSON Lines in UTF-8'
    case 'table':
      return 'a table for people'
    case 'csv': {
      const encoding = keptEncoding('csv', list)
      const mark =
        list.format === 'workbook'
          ? ', with a byte order mark before letters outside ASCII'
          : encoding?.hasBom
            ? ' with a byte order mark'
            : ''
      return `CSV with ${list.delimiter === '\t' ? 'tabs' : `"${list.delimiter}"`} in ${encoding?.name ?? 'utf-8'}${mark}`
    }
  }
}
