import type { CheckType } from 'format-checker-checks/verdict'
import { expect, test } from 'vitest'
import { skillOf } from '../../packages/command/src/skills.ts'
import { listCheckOf } from '../../src/catalog/column-headings.ts'
import { describePlan } from '../../src/lists/describe-plan.ts'
import { readList } from '../../src/lists/read-list.ts'

async function read(type: CheckType, text: string, column?: string) {
  async function* bytes() {
    yield new TextEncoder().encode(text)
  }
  const list = await readList(bytes(), { check: listCheckOf(skillOf(type)), column })
  const values = []
  const cells = []
  for await (const row of list.rows) {
    values.push(row.leftOut ?? row.value)
    cells.push(row.cells)
  }
  return {
    list,
    values,
    cells,
    plan: describePlan(list, new Map(), null)
      .map((line) => line.join(' '))
      .join('\n'),
  }
}

test.each([
  ['DATEV', 'Konto;EU-Land;EU-UStID'],
  ['JPK', 'Lp;KodKrajuNadaniaTIN;NrKontrahenta'],
  ['KSeF', 'Lp;KodUE;NrVatUE'],
  ['VIES', 'Lp;Member State;VAT Number'],
])('%s: the country of its own column is put in front, and the columns stay two', async (_what, head) => {
  const { values, cells, plan } = await read(
    'eu-vat',
    `${head}\n1;DE;136695976\n2;GR;094259216\n3;AT;ATU13585627\n4;GB;123456789\n5;;PL5260250274\n`,
  )
  expect(values).toEqual(['DE136695976', 'EL094259216', 'ATU13585627', 'GB123456789', 'PL5260250274'])
  expect(cells[0]).toEqual(['1', 'DE', '136695976'])
  expect(plan).toMatch(/note column 2 ".*" is put in front of column 3 "/)
})

test('a column that may hold the country is asked for, joined if it is named, and told if not', async () => {
  const text = 'Nr;Land;USt-IdNr.\n1;DE;136695976\n2;AT;U13585627\n'
  await expect(read('eu-vat', text)).rejects.toThrow(
    /no value has a country prefix; column 2 "Land" may hold it: .*--column 2\+3/,
  )
  expect((await read('eu-vat', text, '2+3')).values).toEqual(['DE136695976', 'ATU13585627'])
  expect((await read('eu-vat', text, 'Land+USt-IdNr.')).values).toEqual(['DE136695976', 'ATU13585627'])
  const { values, plan } = await read('eu-vat', text, '3')
  expect(values).toEqual(['136695976', 'U13585627'])
  expect(plan).toContain('note no value has a country prefix; column 2 "Land" may hold it')
})

const ACCOUNT = '61109010140000071219812874'

test('Polish accounts get PL if nine of ten fit modulo 97, those with a slip too', async () => {
  const list = (wrong: number) =>
    `Nr;Numer rachunku\n${Array.from({ length: 10 }, (_, at) => `${at};${at < wrong ? ACCOUNT.replace('61', '62') : ACCOUNT}`).join('\n')}\n`
  const { values, plan } = await read('iban', list(1))
  expect(values.slice(0, 2)).toEqual([`PL${ACCOUNT.replace('61', '62')}`, `PL${ACCOUNT}`])
  expect(plan).toContain('PL is put in front of the account numbers in column 2 "Numer rachunku"')
  expect((await read('iban', list(2))).values[2]).toBe(ACCOUNT)
})

test('an account of which a spreadsheet kept 15 digits is left out', async () => {
  const { values } = await read('iban', `Nr;IBAN\n1;DE89370400440532013000\n2;61109010140000000000000000\n`)
  expect(values).toEqual(['DE89370400440532013000', 'digits_lost'])
})

test.each([
  ['MT940', ':20:STARTUMSE\n:25:DE89370400440532013000\n', /MT940/],
  ['MT940 of SWIFT', '{1:F01BANKDEFFAXXX0000000000}{2:I940}\n', /MT940/],
  ['QIF', '!Type:Bank\nD01/02/2026\nT-12.50\n^\n', /QIF/],
  ['SYLK', 'ID;PWXL;N;E\nP;PGeneral\nC;Y1;X1;K"IBAN"\n', /SYLK/],
  ['DIF', 'TABLE\n0,1\n"EXCEL"\nVECTORS\n0,2\n', /DIF/],
  ['vCard', 'BEGIN:VCARD\nVERSION:3.0\nEMAIL:jan@firma.pl\n', /vCard/],
  ['EDIFACT', "UNA:+.? 'UNB+UNOC:3+1:14+2:14'\n", /EDI/],
  ['CAMT', '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt/>', /CAMT/],
])('%s is refused by its first lines', async (_what, text, words) => {
  for (const column of [undefined, '1']) await expect(read('iban', text, column)).rejects.toThrow(words)
})

test.each([
  ['a list that begins like SYLK', 'ID;PESEL;Name\n1;44051401359;A\n2;44051401359;B\n', 'pl-pesel'],
  ['a column named TABLE', 'TABLE\n44051401359\n', 'pl-pesel'],
  ['a quoted tag', '":20:","pesel"\n"a","44051401359"\n"b","44051401359"\n', 'pl-pesel'],
] as const)('%s stays a list', async (_what, text, type) => {
  expect((await read(type, text)).values).toContain('44051401359')
})
