/** The files of forty programs, read as the command line and the page read them. */
import { expect, test } from 'vitest'
import { listCheckOf } from '../../src/catalog/column-headings.ts'
import { ListFault } from '../../src/lists/list-fault.ts'
import { readRow } from '../../src/lists/read-cell.ts'
import { readList } from '../../src/lists/read-list.ts'
import { PROGRAM_FILES, type ProgramFile } from '../support/program-files.ts'
import { realRegistry } from '../support/registry.ts'

async function* pieces(bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function read({ type, bytes, column, sheet, encoding }: ProgramFile, size: number) {
  const check = listCheckOf(realRegistry().get(type)!)
  const list = await readList(pieces(bytes, size), { check, column, sheet, encoding: encoding as 'utf-8' })
  const values: string[] = []
  const left: Record<string, number> = {}
  for await (const row of list.rows) {
    const cell = readRow(row)
    if (cell.ok) values.push(cell.value.trim())
    else left[cell.code] = (left[cell.code] ?? 0) + 1
  }
  return {
    values,
    left,
    heading: list.isNamed ? list.header[list.columns[0].index]?.trim() : undefined,
    encoding: list.encoding?.name,
  }
}

test.each(PROGRAM_FILES)('$program', async (file) => {
  for (const size of [7, 64 * 1024]) {
    const { expect: expected } = file
    if ('refused' in expected) {
      const error = await read(file, size).catch((caught: unknown) => caught)
      expect(error).toBeInstanceOf(ListFault)
      expect((error as ListFault).message).toMatch(expected.refused)
    } else {
      const found = await read(file, size)
      expect(found).toMatchObject({ values: expected.values, left: expected.left ?? {} })
      if (expected.heading !== undefined) expect(found.heading).toBe(expected.heading)
      if (expected.encoding !== undefined) expect(found.encoding).toBe(expected.encoding)
    }
  }
})
