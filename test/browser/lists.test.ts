/** A list on the page: read in the browser, paid once, shown as a table, saved as CSV. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { CHECKS } from 'format-checker-checks/internal/checks'
import type { Download, Request } from 'playwright-core'
import type { Hex } from 'viem'
import { beforeEach, describe, expect, test } from 'vitest'
import { resultColumns } from '../../src/lists/results.ts'
import { CLI, outcomeOf } from '../support/command.ts'
import { validIban } from '../support/identifiers.ts'
import { scratchDir } from '../support/service-process.ts'
import { lookAtChain } from '../support/usdc-chain.ts'
import { xlsx } from '../support/workbooks.ts'
import { axeFindings } from './axe-findings.ts'
import { foreign, type Watched, watchedPage } from './browser.ts'
import { type ListPage, listPageOf } from './list-page.ts'
import { sandboxStage } from './sandbox-stage.ts'
import { translatable } from './translatable.ts'

const GOOD = 'GB82 WEST 1234 5698 7654 32'
const BAD = 'GB82 WEST 1234 5698 7654 33'
const SHORT_LIST = ['company;iban;note', `A;${GOOD};=1+1`, `B;${BAD};x`, `C;${GOOD};y`, 'D;;z'].join('\r\n')
const WIDTHS = { phone: 375, tablet: 768, desktop: 1440 } as const

let watched: Watched
let list: ListPage

const sandbox = sandboxStage()

async function open(options: Parameters<typeof watchedPage>[1] = {}) {
  watched = await watchedPage(sandbox.browser, { acceptDownloads: true, ...options })
  list = listPageOf(watched.page)
  await watched.page.goto(`${sandbox.url}/lists`)
  await list.form.waitFor()
}

const bodies = (requests: readonly Request[]) =>
  requests.filter((request) => request.method() === 'POST').map((request) => request.postData() ?? '')

const saved = async (download: Download): Promise<string> => readFileSync(await download.path(), 'utf8')

const records = (csv: string) =>
  parse(csv, { bom: true, delimiter: ';', record_delimiter: '\r\n' }) as string[][]

describe('a pasted list', () => {
  beforeEach(async () => {
    await open()
    return async () => {
      expect(watched.complaints).toEqual([])
      expect(foreign(watched, sandbox.url)).toEqual([])
      await watched.page.context().close()
    }
  })

  test('leaves a cell with several values out, free', async () => {
    await list.values.fill('DE89370400440532013000\nNL91ABNA0417164300, NL27INGB0000026500')
    await expect.poll(() => list.summary.innerText()).toContain('2 rows: $0.001')
    expect(await list.summary.innerText()).toContain('left out: 1 "Several values", free: row 2.')
  })

  test('is priced before anything is sent, paid once, and shown row by row', async () => {
    const { page } = watched
    const sent: Request[] = []
    page.on('request', (request) => sent.push(request))
    await list.values.fill(SHORT_LIST)
    await expect.poll(() => list.summary.innerText()).toContain('4 rows: $0.002')
    await expect
      .poll(() => list.summary.innerText())
      .toMatch(/left out: 1 "Empty", free: row 5\. .*1 repeated row, free\./s)
    await expect.poll(() => list.column.innerText()).toBe('2: iban')
    expect(bodies(sent)).toEqual([])

    const chain = lookAtChain(sandbox.facts.rpcUrl ?? '')
    const before = await chain.balance(sandbox.facts.payTo)
    await list.ask.click()
    await list.wallet.waitFor()
    expect(await list.wallet.innerText()).toContain('0.002 USDC')
    for (const body of bodies(sent)) expect(body).not.toContain('WEST')
    await list.sign()
    expect(await list.title.innerText()).toBe('2 rows valid, 1 not valid')
    expect(await page.evaluate('document.activeElement.id')).toBe('results-title')

    // The values left in the paid request alone, and in no address.
    const withValues = sent.filter((request) => (request.postData() ?? '').includes('WEST'))
    expect(withValues.map((request) => [request.url(), request.postData()])).toEqual([
      [`${sandbox.url}/api/validate/iban/batch`, JSON.stringify({ values: [GOOD, BAD] })],
    ])
    expect(withValues[0]?.headers()).toHaveProperty('payment-signature')
    for (const request of sent) expect(decodeURIComponent(request.url())).not.toContain('WEST')
    expect(bodies(sent).filter((body) => body.includes('eth_signTypedData_v4'))).toHaveLength(1)
    expect((await chain.balance(sandbox.facts.payTo)) - before).toBe(2_000n)
    const transaction = (await page.locator('.transaction').innerText()) as Hex
    expect(await chain.transfers(transaction)).toEqual([
      { from: sandbox.facts.buyer.address, to: sandbox.facts.payTo, value: 2_000n },
    ])

    const cells = await Promise.all((await list.rows.all()).map((row) => row.locator('td').allTextContents()))
    const [good, bad] = [GOOD, BAD].map((value) => CHECKS.iban(value))
    const masked = good?.normalized?.replaceAll('•', '*')
    expect(cells).toEqual([
      [
        ...['3', 'B', BAD, 'Not valid', 'Check digits do not fit'],
        expect.stringContaining(bad?.reason ?? '?'),
        '',
      ],
      ['5', 'D', '', 'Left out', 'Empty', 'Empty.', ''],
      ['2', 'A', GOOD, 'Valid', 'Nothing wrong', good?.reason, masked],
      ['4', 'C', GOOD, 'Valid', 'Nothing wrong', good?.reason, masked],
    ])
  })

  test('says what a value was probably meant to be, in the table and in the file, and no translator reads it', async () => {
    await list.values.fill(`company;iban\nA;${GOOD}\nB;UK${GOOD.slice(2)}`)
    await list.buy('$0.002')
    await list.rows.getByText(`Perhaps ${GOOD}`).waitFor()
    expect(await translatable(watched.page, 'WEST')).toEqual([])
    const [header = [], , mended = []] = records(await saved(await list.save('Save as CSV')))
    expect(mended[header.indexOf('suggested')]).toBe(GOOD)
  })

  test('is in no text that a translator of the browser may send on', async () => {
    const { page } = watched
    await list.values.fill(SHORT_LIST.replace('company;iban;note', `E;${BAD};v`))
    await expect
      .poll(() => list.summary.innerText())
      .toContain('Say which column to check: the file has E, v.')
    await page.getByLabel('Column').selectOption('2')
    await expect.poll(() => list.summary.innerText()).toContain(`First: ${BAD}`)
    expect(await list.column.textContent()).toContain(BAD)
    expect(await translatable(page, 'WEST')).toEqual([])
    await list.buy('$0.002')
    expect(await list.rows.count()).toBe(5)
    expect(await translatable(page, 'WEST')).toEqual([])
  })

  test('is saved as CSV whose own cells stay, as the command saves it, and with a statement that the command line verifies', async () => {
    const { page } = watched
    await list.values.fill(SHORT_LIST)
    await list.buy('$0.002')
    const csv = await saved(await list.save('Save as CSV'))
    const [header, first, second, third, fourth] = records(csv)
    expect(header).toEqual(['company', 'iban', 'note', ...resultColumns([])])
    expect(first?.slice(0, 5)).toEqual(['A', GOOD, '=1+1', 'true', 'ok'])
    expect(second?.slice(3, 5)).toEqual(['false', 'checksum'])
    expect(third?.slice(0, 5)).toEqual(['C', GOOD, 'y', 'true', 'ok'])
    expect(fourth?.slice(3)).toEqual(['', 'empty', 'Empty.', '', '', '', '', '', '', ''])

    const evidence = await list.save('Save the evidence')
    const folder = scratchDir()
    const place = (name: string) => join(folder.path, name)
    await evidence.saveAs(place('x.statement.json'))
    writeFileSync(place('x.csv'), csv)
    const { code, stdout } = await outcomeOf([
      ...[CLI, 'verify', place('x.statement.json'), place('x.csv'), '--url', sandbox.url, '--json'],
      ...['--out', place('proved.jsonl')],
    ])
    expect(code).toBe(0)
    expect(JSON.parse(stdout.join(''))).toMatchObject({
      ...{ proved: { values: 2, named: 2, rows: 3 }, paid: '2000', file: 'same_hash' },
    })
    const proved = readFileSync(place('proved.jsonl'), 'utf8').trim().split('\n')
    expect(proved.map((line) => JSON.parse(line)).map(({ cell, value }) => [cell, value])).toEqual([
      ...[
        [1, GOOD],
        [3, GOOD],
        [2, BAD],
      ],
    ])
    const printed = await list.save('Save the statement')
    expect([evidence.suggestedFilename(), printed.suggestedFilename()]).toEqual([
      ...['list-checked.statement.json', 'list-checked.statement.html'],
    ])
    const statement = await saved(printed)
    const { payments } = JSON.parse(readFileSync(place('x.statement.json'), 'utf8'))
    for (const words of [
      ...[sandbox.facts.payTo, sandbox.facts.buyer.address, payments[0].settlement.transaction, '0.002 USDC'],
      payments[0].settlement.extensions['offer-receipt'].info.receipt.signature,
      ...[
        '2: 1 valid, 1 not valid',
        '1 empty',
        'iban in column iban',
        'no invoice',
        'Sandbox: no real money.',
      ],
    ])
      expect(statement).toContain(words)
    expect(statement).not.toMatch(/WEST|<details/)
    folder.remove()
    expect(page.url()).toBe(`${sandbox.url}/lists`)
  })

  test('replaces results that are not saved only where that is confirmed', async () => {
    const { page } = watched
    await list.values.fill(GOOD)
    await list.buy('$0.001')
    const asked: string[] = []
    page.once('dialog', (dialog) => {
      asked.push(dialog.message())
      void dialog.dismiss()
    })
    await list.values.fill(BAD)
    await list.ask.click()
    expect(asked).toEqual(['The results of the last list are not saved. Go on and replace them?'])
    expect(await list.rows.allTextContents()).toEqual([expect.stringContaining(GOOD)])
    expect(await list.pay('$0.001').count()).toBe(0)
    page.once('dialog', (dialog) => void dialog.accept())
    await list.buy('$0.001')
    await expect.poll(() => list.rows.allTextContents()).toEqual([expect.stringContaining(BAD)])
    await list.save('Save as CSV')
    await list.values.fill(GOOD)
    await list.ask.click()
    await list.pay('$0.001').waitFor()
  })

  test('is filtered by outcome, code and text', async () => {
    await list.values.fill(SHORT_LIST)
    await list.buy('$0.002')
    const visible = () => list.rows.filter({ visible: true }).count()
    await list.filter('Not valid 1').check()
    expect(await visible()).toBe(1)
    await list.filter('Left out 1').check()
    expect(await visible()).toBe(1)
    await list.filter('All 4').check()
    await list.search.fill('west')
    expect(await visible()).toBe(3)
    // The other columns of the list are looked through as well.
    await list.search.fill('=1+')
    expect(await visible()).toBe(1)
    await list.search.fill('')
    await list.code.selectOption('checksum')
    expect(await visible()).toBe(1)
    expect(await list.count.innerText()).toBe('1 of 4 rows')
  })

  test('that changes while the wallet asks is not sent', async () => {
    const chain = lookAtChain(sandbox.facts.rpcUrl ?? '')
    const before = await chain.balance(sandbox.facts.payTo)
    await list.values.fill(GOOD)
    await list.ask.click()
    await list.wallet.waitFor()
    await watched.page.evaluate(
      `values.value = 'DE1'; values.dispatchEvent(new Event('input', { bubbles: true }))`,
    )
    await list.wallet.getByRole('button', { name: 'Sign' }).click()
    await expect.poll(() => list.wallet.count()).toBe(0)
    await expect.poll(() => list.summary.innerText()).toContain('1 row: $0.001')
    expect(await chain.balance(sandbox.facts.payTo)).toBe(before)
  })

  test('whose answer is lost is asked for again with the same payment, and charged once', async () => {
    const { page } = watched
    const payments: string[] = []
    await page.route('**/api/validate/iban/batch', async (route) => {
      const payment = route.request().headers()['payment-signature']
      if (payment === undefined || payments.push(payment) > 1) return route.continue()
      expect((await route.fetch()).status()).toBe(200)
      return route.abort('connectionreset')
    })
    const chain = lookAtChain(sandbox.facts.rpcUrl ?? '')
    const before = await chain.balance(sandbox.facts.payTo)
    await list.values.fill(SHORT_LIST)
    await list.buy('$0.002')
    expect(await page.locator('.receipt').innerText()).toContain('nothing was charged a second time')
    expect([payments.length, new Set(payments).size]).toEqual([2, 1])
    expect((await chain.balance(sandbox.facts.payTo)) - before).toBe(2_000n)
    // The browser reports the connection that was cut.
    expect(watched.complaints.splice(0)).toEqual([expect.stringContaining('ERR_CONNECTION_RESET')])
  })

  test('that was paid for is shown also if the service has been replaced since the terms were', async () => {
    await list.values.fill(SHORT_LIST)
    await list.ask.click()
    await list.wallet.waitFor()
    await watched.page.route('**/assets/**', (route) => route.fulfill({ status: 404 }))
    await list.sign()
    expect(await list.title.innerText()).toBe('2 rows valid, 1 not valid')
  })

  test('of nothing is not asked for', async () => {
    await list.values.fill('\n')
    await expect.poll(() => list.summary.innerText()).toMatch(/^No values found\./)
    expect(await list.ask.count(), 'a button').toBe(0)
    // A thousand values of 500 letters with four bytes each take more than one request.
    const values = Array.from({ length: 1_000 }, (_, at) => `${at}${'\u{10000}'.repeat(500)}`)
    const large = ['IBAN', ...values].join('\n')
    await list.file.setInputFiles({ name: 'large.txt', mimeType: 'text/plain', buffer: Buffer.from(large) })
    await expect
      .poll(() => list.summary.innerText())
      .toContain('2 payments, each with a signature of its own')
    expect(watched.requests.filter((each) => each.includes('/api/'))).toEqual([])
  })
})

describe('a file', () => {
  beforeEach(async () => {
    await open()
    return async () => {
      expect(watched.complaints).toEqual([])
      await watched.page.context().close()
    }
  })

  test('in the encoding of a spreadsheet is read, and gives the result its name', async () => {
    const buffer = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(SHORT_LIST, 'utf16le')])
    await list.file.setInputFiles({ name: 'suppliers.csv', mimeType: 'text/csv', buffer })
    await watched.page.getByText('suppliers.csv').waitFor()
    await expect.poll(() => list.summary.innerText()).toContain('4 rows')
    await list.buy('$0.002')
    expect((await list.save('Save as CSV')).suggestedFilename()).toBe('suppliers-checked.csv')
  })

  test('may be dropped, and be removed again', async () => {
    const { page } = watched
    const dropped = await page.evaluateHandle(`(() => {
      const held = new DataTransfer()
      held.items.add(new File([${JSON.stringify(`${GOOD}\n${BAD}`)}], 'dropped.txt', { type: 'text/plain' }))
      return held
    })()`)
    await page.dispatchEvent('#drop', 'drop', { dataTransfer: dropped })
    await expect.poll(() => list.summary.innerText()).toContain('2 rows')
    await page.getByRole('button', { name: 'Remove' }).click()
    await expect.poll(() => list.summary.innerText()).toBe('No values yet.')
    expect(await page.evaluate('document.activeElement.id')).toBe('values')
  })

  test.each([
    ['a damaged workbook', 'list.xlsx', Buffer.from('PK\u0003\u0004 and more'), 'no whole archive'],
    [
      'an encoding that cannot be told',
      'list.csv',
      Buffer.from([0x5a, 0xb3, 0xf3, 0xb3]),
      'windows-1250 and windows-1252',
    ],
    ['a picture', 'list.csv', Buffer.from('\x89PNG\r\n\x1a\n more', 'latin1'), 'The list is a picture'],
    ['a PDF', 'list.csv', Buffer.from('%PDF-1.7 and more'), 'The list is a PDF'],
    ['empty', 'list.csv', Buffer.from(''), 'No values found.'],
  ])('that is %s is refused in words', async (_what, name, buffer, words) => {
    await list.file.setInputFiles({ name, mimeType: 'text/csv', buffer })
    await expect.poll(() => list.summary.innerText()).toContain(words)
  })

  test('larger than the page reads is refused', async () => {
    const buffer = Buffer.alloc(20 * 1024 * 1024 + 1, 'a')
    await list.file.setInputFiles({ name: 'list', mimeType: 'text/csv', buffer })
    await watched.page.getByRole('heading', { name: 'Not a list' }).waitFor()
  })

  test('that is a workbook is read by the reader of the command line, and bought', async () => {
    const buffer = xlsx({
      Cover: [['Suppliers']],
      Data: [
        ['Name', 'IBAN'],
        ['Müller', GOOD],
        ['Nowak', BAD],
        ['Total', null],
      ],
    })
    await list.file.setInputFiles({ name: 'suppliers.xlsx', mimeType: 'application/octet-stream', buffer })
    await expect
      .poll(() => list.summary.innerText())
      .toMatch(/^file: sheet "Data"\. .*left out: 1 "Totals row", free: row 4\./ms)
    await list.buy('$0.002')
    expect((await list.save('Save as CSV')).suggestedFilename()).toBe('suppliers-checked.csv')
  })
})

test('the plan of a workbook says where its results will be', async () => {
  await open()
  const planOf = async (rows: (string | null)[][]) => {
    await list.file.setInputFiles({ name: 'a.xlsx', mimeType: '', buffer: xlsx({ Data: rows }) })
    await expect.poll(() => list.summary.innerText()).toContain('output: the workbook')
    return list.summary.innerText()
  }
  const beside = await planOf([
    ['name', 'iban'],
    ['A', GOOD],
    ['B', BAD],
  ])
  expect(beside).toContain('output: the workbook, with the results behind its last column, or CSV with ","')
  await list.file.setInputFiles([])
  const apart = await planOf([
    ['name', 'iban'],
    ['A', GOOD, null, 'note'],
    ['B', BAD],
  ])
  expect(apart).toContain(
    'output: the workbook, with the results in the sheet "Results", since an empty column',
  )
  await watched.page.context().close()
})

test('a CSV begins with a byte order mark if the box beside "Save as CSV" asks for it', async () => {
  await open()
  await list.values.fill(`company;iban\nMüller;${GOOD}`)
  await list.buy('$0.001')
  const box = watched.page.getByLabel(/^Byte order mark/)
  expect(await box.isChecked()).toBe(false)
  expect(await saved(await list.save('Save as CSV'))).toMatch(/^company;/)
  await box.check()
  expect(await saved(await list.save('Save as CSV'))).toMatch(/^\ufeffcompany;/)
  await watched.page.context().close()
})

test('a list of two payments goes on after a reload with what is bought, and nothing is paid twice', async () => {
  await open()
  const { page } = watched
  const chain = lookAtChain(sandbox.facts.rpcUrl ?? '')
  const before = await chain.balance(sandbox.facts.payTo)
  const values = Array.from({ length: 1_003 }, (_, at) => validIban('DE', at + 1))
  const buffer = Buffer.from(values.join('\n'))
  const choose = () => list.file.setInputFiles({ name: 'long.txt', mimeType: 'text/plain', buffer })
  await choose()
  await expect.poll(() => list.summary.innerText()).toContain('2 payments, each with a signature of its own')
  await list.ask.click()
  await list.wallet.getByRole('button', { name: 'Sign' }).click()
  // The second is asked for by itself; it is not signed.
  await list.pay('$0.003').waitFor()
  expect(await page.locator('#results').innerText()).toContain('1 of 2 payments')
  await page.reload()
  await list.form.waitFor()
  await choose()
  await expect.poll(() => list.summary.innerText()).toContain('1,003 rows: $1.003')
  expect(await list.summary.innerText()).toContain(
    'Already paid in this browser: $1.00. Left to pay: $0.003.',
  )
  expect(await list.ask.innerText()).toBe('Pay $0.003')
  await list.ask.click()
  await list.sign()
  expect(await list.title.innerText()).toBe('1,003 rows valid, 0 not valid')
  expect(await list.count.innerText()).toBe('1,003 rows, the first 1,000 are shown')
  const ids = await page.locator('[id]').evaluateAll((all) => all.map(({ id }) => id))
  expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([])
  expect((await chain.balance(sandbox.facts.payTo)) - before).toBe(1_003_000n)
  const csv = await saved(await list.save('Save as CSV'))
  expect(csv.trimEnd().split('\r\n')).toHaveLength(1_004)
  await page.context().close()
})

const LONG = Array.from({ length: 50_000 }, (_, at) => [`Firma ${at}`, validIban('DE', at), 'x'])
test.each([
  ['a CSV', 'long.csv', (rows: string[][]) => Buffer.from(rows.map((row) => row.join(';')).join('\n'))],
  ['a workbook', 'long.xlsx', (rows: string[][]) => Buffer.from(xlsx({ sheet: rows }))],
])('50,000 rows of %s are read while the page answers', async (what, name, write) => {
  await open()
  const { page } = watched
  // A file by its path: one that is sent as bytes is a long task itself.
  const folder = scratchDir()
  writeFileSync(join(folder.path, name), write([['name', 'iban', 'note'], ...LONG]))
  await page.evaluate(`window.longest = 0
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) longest = Math.max(longest, duration)
    }).observe({ type: 'longtask' })`)
  await list.file.setInputFiles(join(folder.path, name))
  await expect.poll(() => list.summary.innerText()).toContain('50 payments, each with a signature of its own')
  console.log(`${what} of 50,000: longest task ${await page.evaluate('longest')} ms while it is read`)
  folder.remove()
  await page.context().close()
})

test('a thousand rows are bought and searched; the page answers in between', async () => {
  await open()
  const { page } = watched
  const values = Array.from({ length: 1_000 }, (_, at) =>
    at % 10 === 0 ? `${validIban('DE', at + 1)}X` : validIban('DE', at + 1),
  )
  await list.values.fill(values.join('\n'))
  await page.evaluate(`window.longest = 0
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) longest = Math.max(longest, duration)
    }).observe({ type: 'longtask' })`)
  await list.buy('$1.00')
  await expect.poll(() => list.rows.count()).toBe(1_000)
  const rendering = Number(await page.evaluate('longest'))
  await page.evaluate('longest = 0')
  await list.search.pressSequentially(values[777]?.slice(-6) ?? '')
  await expect.poll(() => list.rows.filter({ visible: true }).count()).toBe(1)
  const searching = Number(await page.evaluate('longest'))
  console.log(
    `a list of 1,000: longest task ${rendering} ms while it is shown, ${searching} ms while searching`,
  )
  await page.context().close()
})

test('five thousand rows are read into words, shown and saved in slices, between which the page answers', async () => {
  await open()
  const { page } = watched
  const rows = Array.from({ length: 5_000 }, (_, at) => `Firma ${at};${validIban('DE', at % 3)}`)
  const buffer = Buffer.from(['name;iban', ...rows].join('\n'))
  await list.file.setInputFiles({ name: 'rows.csv', mimeType: 'text/csv', buffer })
  await expect.poll(() => list.summary.innerText()).toContain('5,000 rows: $0.003')
  await page.evaluate(`(() => {
    window.turns = 0
    window.drawn = []
    const later = setTimeout
    window.setTimeout = (...args) => {
      turns += 1
      return later(...args)
    }
    let before = 0
    new MutationObserver(() => {
      const rows = document.querySelectorAll('#results tbody tr').length
      drawn.push(rows - before)
      before = rows
    }).observe(document.getElementById('results'), { childList: true, subtree: true })
  })()`)
  await list.buy('$0.003')
  await expect.poll(() => list.rows.count()).toBe(1_000)
  expect(await list.count.innerText()).toBe('5,000 rows, the first 1,000 are shown')
  // Ten slices of words, then drawn in twenty of fifty rows.
  expect(await page.evaluate('turns')).toBeGreaterThanOrEqual(9 + 19)
  expect(await page.evaluate('Math.max(...drawn)')).toBe(50)
  await page.evaluate('turns = 0')
  const csv = await saved(await list.save('Save as CSV'))
  expect(await page.evaluate('turns')).toBeGreaterThanOrEqual(9)
  expect(
    csv
      .trimEnd()
      .split('\r\n')
      .slice(1)
      .map((line) => line.split(';').slice(0, 3).join(';')),
  ).toEqual(rows.map((row) => `${row};true`))
  await page.context().close()
})

describe.each(['light', 'dark'] as const)('in %s', (colorScheme) => {
  test.each(Object.entries(WIDTHS))('axe finds nothing at the width of a %s', async (_device, width) => {
    await open({ colorScheme, viewport: { width, height: 860 } })
    const { page } = watched
    expect(await axeFindings(page)).toEqual([])
    await list.values.fill(SHORT_LIST)
    await list.ask.click()
    await list.pay('$0.002').waitFor()
    expect(await axeFindings(page)).toEqual([])
    await list.sign()
    expect(await axeFindings(page)).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
    await page.context().close()
  })
})
