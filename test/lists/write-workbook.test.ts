import { expect, test } from 'vitest'
import { Budget } from '../../src/lists/budget.ts'
import { readZip, textOf } from '../../src/lists/workbook/unzip.ts'
import { addToWorkbook } from '../../src/lists/workbook/write-workbook.ts'
import { ods, xlsx, zip } from '../support/workbooks.ts'

const sheets = { Cover: [['Title']], Data: [['Name', 'IBAN'], ['A <&>', 'DE1', 'C', 4], [], ['B', 'DE2']] }
const bytes = new Uint8Array(xlsx(sheets))
const cells = new Map([
  [1, ['code', 'reason']],
  [4, ['ok', 'a <b> & "c"\u0000']],
])

const list = (...headings: string[]) => ({ isNamed: true, headerLine: 1, checked: [1], headings })

async function contents(archive: Uint8Array<ArrayBuffer>) {
  const parts: Record<string, string> = {}
  for (const part of readZip(archive, new Budget())) {
    parts[part.name] = ''
    for await (const text of textOf(part)) parts[part.name] += text
  }
  return parts
}

test('results stand behind the last column of their rows, and every other part stays as it was', async () => {
  const before = await contents(bytes)
  const after = await contents(
    await (await addToWorkbook(bytes, 'Data', list('code', 'reason'))).write(cells),
  )
  const name = 'xl/worksheets/sheet2.xml'
  expect({ ...after, [name]: '' }).toEqual({ ...before, [name]: '' })
  const added = (place: string, text: string) =>
    `<c r="${place}" t="inlineStr"><is><t xml:space="preserve">${text}</t></is></c>`
  const kept = (after[name] ?? '')
    .replace(added('E1', 'code') + added('F1', 'reason'), '')
    .replace(added('E4', 'ok') + added('F4', 'a &lt;b&gt; &amp; "c" '), '')
  expect(kept).toBe((before[name] ?? '').replace('A1:C9', 'A1:F9').replaceAll(' spans="1:9"', ''))
})

test('a workbook of another kind, or without room, is refused before anything is written', async () => {
  const other = new Uint8Array(ods(sheets))
  await expect(addToWorkbook(other, 'Data', list('code'))).rejects.toThrow(/\.xlsx and \.xlsm/)
  await expect(addToWorkbook(bytes, 'Data', list(...new Array(16_384).fill('x')))).rejects.toThrow(/no room/)
})

test('a sheet whose cells have no places, and whose names have a prefix', async () => {
  const parts = await contents(bytes)
  const name = 'xl/worksheets/sheet2.xml'
  const row = (line: number, ...texts: string[]) =>
    `<x:row>${texts.map((text) => `<x:c t="str"><x:v>${text}${line}</x:v></x:c>`).join('')}</x:row>`
  const sheet = `<x:worksheet xmlns:x="a"><x:sheetData>${row(1, 'a', 'b')}${row(2, 'c', 'd', 'e')}</x:sheetData></x:worksheet>`
  const { write } = await addToWorkbook(
    new Uint8Array(zip({ ...parts, [name]: sheet })),
    'Data',
    list('code'),
  )
  const added = await write(new Map([[2, ['ok']]]))
  expect((await contents(added))[name]).toBe(
    sheet.replace(
      '</x:row></x:sheetData>',
      '<x:c r="D2" t="inlineStr"><x:is><x:t xml:space="preserve">ok</x:t></x:is></x:c></x:row></x:sheetData>',
    ),
  )
})
