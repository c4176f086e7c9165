/** Ten files of suppliers: which cell beside a finding says whose it is, and in which row of the file it stands. */

import type { CheckType } from 'format-checker-checks/verdict'
import { expect, test } from 'vitest'
import { listCheckOf } from '../../src/catalog/column-headings.ts'
import type { InputRow } from '../../src/lists/input-row.ts'
import { nameColumn } from '../../src/lists/name-column.ts'
import { readList } from '../../src/lists/read-list.ts'
import { realRegistry } from '../support/registry.ts'
import { type Cell, xlsx } from '../support/workbooks.ts'

const [DE, PL, NL] = ['DE89370400440532013000', 'PL61109010140000071219812874', 'NL91ABNA0417164300']
const csv = (...lines: readonly string[]) => Buffer.from(lines.join('\r\n'))
const sheet = (...rows: readonly (readonly Cell[])[]) => xlsx({ Data: rows })

interface SuppliersFile {
  readonly bytes: Buffer
  readonly type?: CheckType
  /** Row of the file or sheet, and what stands there beside the value. */
  readonly expected: readonly (readonly [line: number, name: string | undefined])[]
}

const FILES: Readonly<Record<string, SuppliersFile>> = {
  'names on the left': {
    bytes: csv('Supplier;IBAN', `Müller GmbH;${DE}`, `Nowak;${PL}`),
    expected: [
      [2, 'Müller GmbH'],
      [3, 'Nowak'],
    ],
  },
  'names on the right': {
    bytes: csv('IBAN,Name', `${DE},Müller`, `${NL},Jansen`),
    expected: [
      [2, 'Müller'],
      [3, 'Jansen'],
    ],
  },
  'a title above the headings and an empty row': {
    bytes: csv('Suppliers 2026;;', ';;', 'No;Name;IBAN', `1;Acme;${DE}`, ';;', `3;Bolt;${NL}`),
    expected: [
      [4, 'Acme'],
      [5, ''],
      [6, 'Bolt'],
    ],
  },
  'a bank code between name and account': {
    bytes: csv('Name;BIC;IBAN', `Acme;COBADEFFXXX;${DE}`, `Bolt;ABNANL2A;${NL}`),
    expected: [
      [2, 'Acme'],
      [3, 'Bolt'],
    ],
  },
  'a country and a town that repeats': {
    bytes: csv(
      'Firma;Ort;Land;IBAN',
      `A & B;Berlin;DE;${DE}`,
      `C & D;Berlin;DE;${PL}`,
      `E F;Berlin;NL;${NL}`,
    ),
    expected: [
      [2, 'A & B'],
      [3, 'C & D'],
      [4, 'E F'],
    ],
  },
  'a town between name and account': {
    bytes: csv('Supplier;Town;IBAN', `Acme;Bonn;${DE}`, `Bolt;Łódź;${PL}`, `Cobalt;Delft;${NL}`),
    expected: [
      [2, 'Acme'],
      [3, 'Bolt'],
      [4, 'Cobalt'],
    ],
  },
  'numbers of suppliers alone': {
    bytes: csv('Kreditor;IBAN', `70001;${DE}`, `70002;${NL}`),
    expected: [
      [2, '70001'],
      [3, '70002'],
    ],
  },
  'one column': {
    bytes: csv('IBAN', DE, NL),
    expected: [
      [2, undefined],
      [3, undefined],
    ],
  },
  'a workbook with titles and an empty row': {
    bytes: sheet(['List of suppliers'], [], ['Name', 'IBAN'], ['Acme', DE], [], ['Bolt', NL]),
    expected: [
      [4, 'Acme'],
      [6, 'Bolt'],
    ],
  },
  'a workbook without headings': {
    bytes: sheet(['Acme', DE], ['Bolt', PL], ['Cobalt', NL]),
    expected: [
      [1, 'Acme'],
      [2, 'Bolt'],
      [3, 'Cobalt'],
    ],
  },
  'addresses with names of people': {
    type: 'email',
    bytes: csv('Vorname,Nachname,E-Mail', 'Ada,Lovelace,ada@example.org', 'Alan,Turing,alan@example.org'),
    expected: [
      [2, 'Lovelace'],
      [3, 'Turing'],
    ],
  },
}

test.each(Object.entries(FILES))('%s', async (name, { bytes, type = 'iban', expected }) => {
  const check = listCheckOf(realRegistry().get(type)!)
  async function* whole() {
    yield bytes
  }
  const column = name === 'a workbook without headings' ? '2' : undefined
  const list = await readList(whole(), { check, column })
  const rows: InputRow[] = []
  for await (const row of list.rows) rows.push(row)
  const named = nameColumn(rows, list.header, [list.columns[0].index])
  const found = rows.map(({ line, cells }) => [line, named === null ? undefined : cells[named]] as const)
  expect(found.filter(([, name], at) => name !== '' || expected[at]?.[1] === '')).toEqual(expected)
})
