/** Files of five other programs: chosen on the page, paid, saved, and opened again in another program. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Download } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { makeWorkbook, openedInPython, TEXT_FILES, WORKBOOK_ROWS } from '../support/five-files.ts'
import { type ScratchDir, scratchDir } from '../support/service-process.ts'
import { type Watched, watchedPage } from './browser.ts'
import { type ListPage, listPageOf } from './list-page.ts'
import { sandboxStage } from './sandbox-stage.ts'

const sandbox = sandboxStage()
let scratch: ScratchDir
beforeAll(() => {
  scratch = scratchDir()
})
afterAll(() => scratch.remove())

let watched: Watched
let list: ListPage
beforeEach(async () => {
  watched = await watchedPage(sandbox.browser, { acceptDownloads: true })
  list = listPageOf(watched.page)
  await watched.page.goto(`${sandbox.url}/lists`)
  await list.form.waitFor()
  return async () => {
    expect(watched.complaints).toEqual([])
    await watched.page.context().close()
  }
})

async function choose(file: string, type: string, column?: string): Promise<void> {
  await watched.page.locator(`input[name=type][value=${type}]`).check({ force: true })
  await list.file.setInputFiles(file)
  if (column !== undefined) {
    const options = watched.page.getByLabel('Column').locator('option', { hasText: column })
    const value = await options.first().getAttribute('value')
    await watched.page.getByLabel('Column').selectOption(value)
  }
  await expect.poll(() => list.summary.innerText()).toMatch(/^\d+ rows?: /)
}

async function buy(): Promise<void> {
  const [, price = ''] = /: (\$[\d.]+)/.exec(await list.summary.innerText()) ?? []
  await list.buy(price)
}

/** Under the name that the page gave it. */
async function kept(download: Download): Promise<string> {
  const path = join(scratch.path, download.suggestedFilename())
  await download.saveAs(path)
  return path
}

test.each(TEXT_FILES)('$program', async ({
  program,
  bytes,
  type,
  column,
  ending,
  encoding,
  delimiter,
  want,
}) => {
  const file = join(scratch.path, `${program.replace(/\W/g, '')}.${ending}`)
  writeFileSync(file, bytes)
  await choose(file, type, column)
  await buy()
  const saved = await kept(await list.save('Save as CSV'))
  // JSON Lines come back as CSV.
  const [first] = openedInPython(saved, encoding, delimiter || ',')
  expect(first).toMatchObject({ ...want, valid: 'true' })
  expect(await watched.page.getByRole('button', { name: 'Save the workbook' }).count()).toBe(0)
})

test('a workbook with numbers and dates comes back whole, and as CSV with what the sheet shows', async () => {
  const file = join(scratch.path, 'book.xlsx')
  makeWorkbook(file)
  await choose(file, 'pl-nip')
  await buy()
  const workbook = await kept(await list.save('Save the workbook'))
  expect(workbook).toMatch(/\/book-checked\.xlsx$/)
  expect(openedInPython(workbook, '', '')).toEqual([expect.objectContaining(WORKBOOK_ROWS.xlsx)])
  const csv = await kept(await list.save('Save as CSV'))
  expect(openedInPython(csv, 'utf-8-sig', ',')).toEqual([expect.objectContaining(WORKBOOK_ROWS.csv)])
})
