import { closedBehind, isEndOf, rewriteXml } from './rewrite-xml.ts'
import { attribute, escapeAttribute, visitXml } from './scan-xml.ts'
import type { ZipPart } from './unzip.ts'

const CONTENT_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml'
const TITLE = 'Results'

export interface NewSheet {
  readonly title: string
  /** The name of its part in the archive. */
  readonly name: string
  readonly changed: ReadonlyMap<ZipPart, AsyncIterable<string>>
  around(rows: string): string
}

/** Null if the workbook lacks a part that must name the sheet. */
export async function newSheet(parts: readonly ZipPart[], sheet: ZipPart): Promise<NewSheet | null> {
  const partOf = (name: string) => parts.find((part) => part.name === name)
  const workbook = partOf('xl/workbook.xml')
  const relations = partOf('xl/_rels/workbook.xml.rels')
  const types = partOf('[Content_Types].xml')
  if (workbook === undefined || relations === undefined || types === undefined) return null
  const { budget } = sheet
  const titles = budget.map<true>()
  let [lastId, main, link] = [0, '', 'r:id']
  await visitXml(workbook, (token) => {
    if (token.kind !== 'open') return
    if (token.text === 'workbook')
      main = /xmlns(?::\w+)?\s*=\s*["']([^"']*\/main)["']/.exec(token.raw)?.[1] ?? main
    if (token.text !== 'sheet') return
    titles.set((attribute(token, 'name') ?? '').toLowerCase(), true)
    lastId = Math.max(lastId, Number(attribute(token, 'sheetId') ?? 0))
    link = /\s([\w.-]+:id)\s*=/.exec(token.attributes)?.[1] ?? link
  })
  const ids = budget.map<true>()
  let type = ''
  await visitXml(relations, (token) => {
    if (token.kind !== 'open' || token.text !== 'Relationship') return
    ids.set(attribute(token, 'Id') ?? '', true)
    if ((attribute(token, 'Target') ?? '').endsWith(sheet.name.replace(/^xl\//, '')))
      type = attribute(token, 'Type') ?? ''
  })
  const title = free(TITLE, ' ', (each) => titles.has(each.toLowerCase()))
  const id = free('rIdResults', '', (each) => ids.has(each))
  // exceljs finds no sheet by another name, and neither it nor xlsx-populate one by an absolute target.
  const target = (number: number) => `worksheets/sheet${number}.xml`
  let number = 1
  while (partOf(`xl/${target(number)}`) !== undefined) number += 1
  const name = `xl/${target(number)}`
  const appended = (part: ZipPart, element: string, more: (prefix: string) => string) =>
    [
      part,
      rewriteXml(part, (token) => (isEndOf(token, element) ? closedBehind(token, more) : token.raw)),
    ] as const
  return {
    title,
    name,
    changed: new Map([
      appended(
        workbook,
        'sheets',
        // openpyxl declares the prefix on each sheet, so this one may be in no scope of it.
        (x) =>
          `<${x}sheet xmlns:${link.replace(':id', '')}="${escapeAttribute(type.replace(/\/\w+$/, ''))}" name="${escapeAttribute(title)}" sheetId="${lastId + 1}" ${link}="${id}"/>`,
      ),
      appended(
        relations,
        'Relationships',
        (x) => `<${x}Relationship Id="${id}" Type="${escapeAttribute(type)}" Target="${target(number)}"/>`,
      ),
      appended(types, 'Types', (x) => `<${x}Override PartName="/${name}" ContentType="${CONTENT_TYPE}"/>`),
    ]),
    around: (rows) =>
      `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<worksheet xmlns="${escapeAttribute(main)}"><sheetData>${rows}</sheetData></worksheet>`,
  }
}

/** The name, with a number behind it if it is taken. */
function free(name: string, gap: string, isTaken: (name: string) => boolean): string {
  let [found, number] = [name, 1]
  while (isTaken(found)) {
    number += 1
    found = `${name}${gap}${number}`
  }
  return found
}
