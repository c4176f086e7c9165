import type { ListInput } from './input-row.ts'

export function describeList(list: Omit<ListInput, 'rows'>): {
  readonly file: string
  readonly columns: readonly string[]
} {
  const { format, encoding, sheet, delimiter, above, header, isNamed } = list
  const names = {
    text: 'lines of text',
    csv: `cells between ${delimiter === '\t' ? 'tabs' : `"${delimiter}"`}`,
    jsonl: 'JSON Lines',
  }
  const lines = `${above.lines} line${above.lines === 1 ? '' : 's'} above the ${isNamed ? 'headings' : 'rows'} left out`
  return {
    file: [
      format === 'workbook' ? `sheet ${JSON.stringify(sheet)}` : names[format],
      ...(encoding === null
        ? []
        : [encoding.isGuess ? 'windows-1252 or -1250, the same in this column' : encoding.name]),
      ...(above.lines === 0 ? [] : [lines]),
    ].join(', '),
    columns: list.columns.map(
      ({ index, why }) =>
        `${index + 1} of ${header.length}${isNamed ? `, ${JSON.stringify(header[index]?.trim())}` : ''}${why === undefined ? '' : `: ${why}`}`,
    ),
  }
}
