import { type CellRange, rangeOf, rangeText, widenedFormula } from './cell-range.ts'
import type { ListRange, SheetTable } from './result-place.ts'
import { closedBehind, isEndOf, rewriteXml, withAttribute } from './rewrite-xml.ts'
import { attribute, escapeAttribute } from './scan-xml.ts'
import type { ZipPart } from './unzip.ts'

/** Widens a range to the column `right` and the row `bottom`; other text stays. */
export function widened(text: string, right: number, bottom = 0): string {
  const range = rangeOf(text)
  if (range === null) return text
  return rangeText({
    ...range,
    right: Math.max(range.right, right),
    bottom: Math.max(range.bottom, bottom),
  })
}

/** Adds a column to the table for each heading, so that it sorts and filters them with its own. */
export function grownTable({ part, lastId }: SheetTable, headings: readonly string[], right: number) {
  const widen = (value: string) => widened(value, right)
  return rewriteXml(part, (token) => {
    const { kind, text, raw } = token
    if (isEndOf(token, 'tableColumns'))
      return closedBehind(token, (x) =>
        headings
          .map((name, at) => `<${x}tableColumn id="${lastId + at + 1}" name="${escapeAttribute(name)}"/>`)
          .join(''),
      )
    if (kind !== 'open') return raw
    if (text === 'tableColumns')
      return withAttribute(raw, 'count', (count) => String(Number(count) + headings.length))
    return ['table', 'autoFilter', 'sortState'].includes(text) ? withAttribute(raw, 'ref', widen) : raw
  })
}

/** Widens the names in `xl/workbook.xml` that hold the list: the filter of its sheet, and what of it is printed. */
export function grownNames(workbook: ZipPart, sheet: string, list: ListRange, right: number) {
  const [from, to] = [Math.min(...list.checked), Math.max(...list.checked)]
  const isList = ({ left, right, bottom }: CellRange) =>
    left <= from && to <= right && bottom >= list.headerLine
  const fits: Readonly<Record<string, (range: CellRange) => boolean>> = {
    '_xlnm._filterdatabase': (range) => range.top === list.headerLine && range.left <= from,
    '_xlnm.print_area': isList,
  }
  let [sheets, own] = [0, -1]
  let isMeant: ((range: CellRange) => boolean) | undefined
  return rewriteXml(workbook, (token) => {
    const { kind, text, raw } = token
    if (kind === 'text') return isMeant === undefined ? raw : widenedFormula(raw, right, isMeant)
    if (text === 'sheet' && kind === 'open') {
      if (attribute(token, 'name') === sheet) own = sheets
      sheets += 1
    }
    isMeant =
      kind === 'open' && text === 'definedName' && attribute(token, 'localSheetId') === String(own)
        ? fits[(attribute(token, 'name') ?? '').toLowerCase()]
        : undefined
    return raw
  })
}
