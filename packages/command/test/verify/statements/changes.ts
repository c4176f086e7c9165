import { parse } from 'csv-parse/sync'
import type { SeededRandom } from '../../../../../test/support/seeded-random.ts'
import type { BoughtList } from './bought-list.ts'

type Json = Record<string, unknown>

/** What may be changed: the statement as JSON, and the lines of the list as cells. */
export interface Subject {
  statement: { list: Json; output: Json; keys: Json; payments: Json[] } & Json
  readonly lines: string[][]
}

export const subjectOf = ({ statement, text }: Pick<BoughtList, 'statement' | 'text'>): Subject => ({
  statement: structuredClone(statement) as unknown as Subject['statement'],
  lines: parse(text, { delimiter: ';' }) as string[][],
})

const quoted = (cell: string) => (/[;"]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)
export const textOf = ({ lines }: Subject) =>
  lines.map((cells) => `${cells.map(quoted).join(';')}\r\n`).join('')

/** Columns: no, iban, note, valid, code, reason, normalized, cleaned, hint, place, suggested, warnings. */
const [VALUE, VALID, CODE, REASON, NORMALIZED, CLEANED, HINT, PLACE, SUGGESTED, WARNINGS] = [
  1, 3, 4, 5, 6, 7, 8, 9, 10, 11,
] as const
/** Lines with a value that was sold, below the headings. */
const SOLD = Array.from({ length: 12 }, (_, at) => at + 1)

/** One random change of a bought list or of its statement, by what it changes. */
export function changesBy(random: SeededRandom) {
  const DIGITS = '0123456789abcdefABCDEF'

  /** Another character in its place. */
  function spoil(text: string): string {
    const at = random.int(text.length)
    const others = [...DIGITS].filter((each) => each !== text[at])
    return text.slice(0, at) + random.pick(others) + text.slice(at + 1)
  }

  /** Leaves the head of gzip, which says nothing of the content, and the end, where base64 may have bits without meaning. */
  const spoilPacked = (text: string) => text.slice(0, 16) + spoil(text.slice(16, -4)) + text.slice(-4)

  function swapTwo<T>(list: T[], differ: (one: T, other: T) => boolean): void {
    for (;;) {
      const [one, other] = [random.int(list.length), random.int(list.length)]
      const [first, second] = [list[one] as T, list[other] as T]
      if (!differ(first, second)) continue
      list[one] = second
      list[other] = first
      return
    }
  }

  const payment = ({ statement }: Subject): Json => random.pick(statement.payments)
  const lineOf = ({ lines }: Subject): string[] => lines[random.pick(SOLD)] as string[]
  const cellsOf = (of: Json) => of.cells as number[][]
  const receiptOf = (of: Json) =>
    (of.settlement as { extensions: Record<string, { info: { receipt: Json } & Json }> }).extensions
  const set = (cells: string[], at: number, text: string) => {
    cells[at] = text === cells[at] ? `${text}0` : text
  }

  const MEANT: Readonly<Record<string, (subject: Subject) => void>> = {
    'the value of a cell': (of) => {
      const cells = lineOf(of)
      set(cells, VALUE, spoil(cells[VALUE] ?? ''))
    },
    'the value of a cell, to none': (of) => set(lineOf(of), VALUE, ''),
    'the value of a cell, to that of another': ({ lines }) => {
      const [one, other] = [random.pick(SOLD), random.pick(SOLD)]
      const [from, to] = [lines[one], lines[other]] as [string[], string[]]
      set(to, VALUE, from[VALUE] === to[VALUE] ? 'DE00' : (from[VALUE] ?? ''))
    },
    'a verdict': (of) => {
      const cells = lineOf(of)
      set(cells, VALID, cells[VALID] === 'true' ? 'false' : 'true')
    },
    'no verdict': (of) => set(lineOf(of), VALID, ''),
    'a code': (of) =>
      set(lineOf(of), CODE, random.pick(['ok', 'checksum', 'format', 'empty', 'totals_row', ''])),
    'a reason': (of) => set(lineOf(of), REASON, random.pick(['', 'Fine.', 'The checksum is right.'])),
    'a mask': (of) => {
      const cells = lineOf(of)
      set(cells, NORMALIZED, cells[NORMALIZED] === '' ? 'DE89' : spoil(cells[NORMALIZED] ?? ''))
    },
    'a cleaned value': (of) => {
      const cells = lineOf(of)
      set(cells, CLEANED, cells[CLEANED] === '' ? 'DE89370400440532013000' : spoil(cells[CLEANED] ?? ''))
    },
    'a cleaned value, to that of another, or none': ({ lines }) => {
      const cells = lines[random.pick(SOLD.slice(0, 10))] as string[]
      const others = SOLD.map((row) => lines[row]?.[CLEANED] ?? '').filter(
        (other) => other !== cells[CLEANED],
      )
      set(cells, CLEANED, random.pick(others))
    },
    'a hint or a warning': (of) =>
      set(lineOf(of), random.pick([HINT, WARNINGS]), 'Pay DE89370400440532013000 instead.'),
    'no hint': ({ lines }) => set(lines[12] as string[], HINT, ''),
    'a suggestion': (of) => set(lineOf(of), SUGGESTED, 'DE89370400440532013000'),
    'no suggestion': ({ lines }) => set(lines[12] as string[], SUGGESTED, ''),
    'a place': (of) => set(lineOf(of), PLACE, String(30 + random.int(9))),
    'a row that was left out gets a value': ({ lines }) => {
      set(lines[13] as string[], VALUE, 'DE89370400440532013000')
    },
    'a row that was left out gets a verdict': ({ lines }) =>
      set(lines[random.pick([13, 14])] as string[], VALID, 'true'),
    'a row that was left out gets something else': ({ lines }) =>
      set(
        lines[random.pick([13, 14])] as string[],
        random.pick([NORMALIZED, CLEANED, HINT, PLACE, SUGGESTED, WARNINGS]),
        'DE89370400440532013000',
      ),
    'a row that was left out, in other words': ({ lines }) =>
      set(lines[random.pick([13, 14])] as string[], REASON, 'Valid, says the bank.'),
    'a heading of the results': ({ lines }) =>
      set(lines[0] as string[], random.pick([VALID, CODE, REASON, CLEANED, SUGGESTED]), 'x'),
    'a heading of the results, also in the statement': ({ lines, statement }) => {
      const at = random.pick([VALID, CLEANED])
      const { headings } = statement.list.results as { headings: string[] }
      headings[at - VALID] = 'x'
      set(lines[0] as string[], at, 'x')
    },
    'a row twice': ({ lines }) => {
      const at = random.pick(SOLD)
      lines.splice(random.pick(SOLD), 0, [...(lines[at] as string[])])
    },
    'rows swapped': (of) => {
      const rows = of.lines.slice(1, 13)
      swapTwo(rows, (one, other) => one[VALUE] !== other[VALUE])
      of.lines.splice(1, 12, ...rows)
    },
    'a row less': ({ lines }) => lines.splice(random.pick(SOLD), 1),
    'an amount': (of) => {
      payment(of).amount = String(1 + random.int(4_999))
    },
    'a payee': (of) => {
      const paid = payment(of)
      paid.payTo = random.pick([null, `0x${'1'.repeat(40)}`, String(paid.payTo).replace(/.$/, 'Z')])
    },
    'a signature': (of) => {
      const { receipt } = receiptOf(payment(of))['offer-receipt']?.info ?? {}
      if (receipt !== undefined) receipt.signature = spoilPacked(String(receipt.signature))
    },
    'a salt': (of) => {
      const { info } = receiptOf(payment(of))['receipt-salt'] ?? {}
      if (info !== undefined) info.salt = spoil(String(info.salt))
    },
    'a transaction': (of) => {
      const settlement = payment(of).settlement as Json
      settlement.transaction = spoil(String(settlement.transaction))
    },
    'a payer': (of) => {
      const settlement = payment(of).settlement as Json
      settlement.payer = spoil(String(settlement.payer))
    },
    'a network': (of) => {
      ;(payment(of).settlement as Json).network = 'eip155:1'
    },
    'no receipt': (of) => {
      payment(of).settlement = null
    },
    'what was asked': (of) => {
      const paid = payment(of)
      paid.request = random.pick(['', spoilPacked(String(paid.request)), paid.results])
    },
    'what was answered': (of) => {
      const paid = payment(of)
      paid.results = random.pick([null, '', spoilPacked(String(paid.results)), paid.request])
    },
    'a payment less': ({ statement }) => statement.payments.splice(random.int(2), 1),
    'a payment twice': ({ statement }) =>
      statement.payments.push(structuredClone(random.pick(statement.payments))),
    'a payment more, without a receipt': ({ statement }) => {
      const lost = { settlement: null, authorization: null, request: null, results: null, cells: [] }
      statement.payments.push({ amount: String(random.int(1e9)), payTo: null, ...lost })
    },
    'receipts swapped': ({ statement }) => {
      const settlements = statement.payments.map(({ settlement }) => settlement)
      swapTwo(settlements, (one, other) => one !== other)
      for (const [at, each] of statement.payments.entries()) each.settlement = settlements[at]
    },
    'rows tied to others': (of) =>
      swapTwo(cellsOf(payment(of)), (one, other) => String(one) !== String(other)),
    'a row tied to nothing': (of) => {
      const cells = cellsOf(payment(of))
      cells[random.int(cells.length)] = []
    },
    'a row tied twice': (of) => {
      const cells = random.pick(cellsOf(payment(of)))
      cells.push(random.pick([1, cells[0] ?? 1, 13, 99, 10]))
    },
    'a row that is no number': (of) => {
      const cells = cellsOf(payment(of)) as unknown[]
      cells[random.int(cells.length)] = random.pick([null, 1, ['1'], [-1], [1.5], {}])
    },
    'the type of the column': ({ statement }) => {
      ;(statement.list.columns as Json[])[0] = { type: 'email', column: 'iban' }
    },
    'the name of the column': ({ statement }) => {
      ;(statement.list.columns as Json[])[0] = { type: 'iban', column: random.pick(['note', 'no', '1', '3']) }
    },
    'where the results are': ({ statement }) => {
      statement.list.results = random.pick([null, {}, { format: 'other/1', headings: null, behind: 3 }])
    },
    'the hash of the list, or its name': ({ statement }) => {
      const [name, text] = random.pick([
        ['sha256', '00'],
        ['file', 'suppliers.csv'],
        ['file', '../out.csv'],
        ['file', 'none.csv'],
      ] as const)
      statement.output[name] = text
    },
  }

  /** Changes that mean nothing; those of the list say that the file is another one. */
  const UNMEANT: Readonly<Record<string, (subject: Subject) => string | undefined>> = {
    'a member before another': ({ statement }) => {
      const turned = (value: unknown): unknown => {
        if (Array.isArray(value)) return value.map(turned)
        if (typeof value !== 'object' || value === null) return value
        return Object.fromEntries(
          Object.entries(value)
            .map(([name, each]) => [name, turned(each)] as const)
            .toSorted(() => random.int(3) - 1),
        )
      }
      Object.assign(statement, turned(statement) as Json)
      return undefined
    },
    'an own column': ({ lines }) => {
      const at = random.pick([0, 3, 5, 11])
      for (const [row, cells] of lines.entries()) cells.splice(at, 0, row === 0 ? 'booked' : `x${row}`)
      return undefined
    },
    'a note': ({ lines }) => {
      set(lines[random.pick(SOLD)] as string[], random.pick([0, 2]), 'another')
      return undefined
    },
    'ends of lines': (of) => textOf(of).replaceAll('\r\n', '\n'),
    'a mark in front': (of) => `\ufeff${textOf(of)}`,
    'masks of bullets, as former versions wrote them': (of) => textOf(of).replaceAll('*', '\u2022'),
    'white space around the results': (of) => {
      for (const cells of of.lines.slice(1))
        for (const at of [VALID, CODE, REASON, NORMALIZED, CLEANED, HINT, PLACE]) cells[at] = ` ${cells[at]} `
      return undefined
    },
    'what a spreadsheet writes for true': (of) =>
      textOf(of).replaceAll(';true;', random.pick([';TRUE;', ';WAHR;', ';PRAWDA;'])),
  }

  return { MEANT, UNMEANT }
}
