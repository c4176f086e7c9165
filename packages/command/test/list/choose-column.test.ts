import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { UsageError } from '../../../../src/command-line/usage-error.ts'
import { validValue } from '../../../../test/support/identifiers.ts'
import { type ScratchDir, scratchDir } from '../../../../test/support/service-process.ts'
import { type ListOptions, readBuyOptions } from '../../src/buy/buy-options.ts'
import { chooseColumn, isAnswerable } from '../../src/list/choose-column.ts'

/** A terminal: what a person types, and what they see. */
interface Terminal {
  readonly types: PassThrough & { isTTY?: boolean }
  readonly shows: PassThrough & { isTTY?: boolean }
}

const STREAMS = { stdin: process.stdin, stderr: process.stderr }
const { CI } = process.env
let scratch: ScratchDir
let terminal: Terminal
beforeEach(() => {
  scratch = scratchDir()
  terminal = { types: new PassThrough(), shows: new PassThrough() }
  shown = ''
  terminal.shows.on('data', (chunk) => {
    shown += chunk
  })
  terminal.types.isTTY = true
  terminal.shows.isTTY = true
  put({ stdin: terminal.types, stderr: terminal.shows })
  delete process.env.CI
})
afterEach(() => {
  put(STREAMS)
  if (CI !== undefined) process.env.CI = CI
  scratch.remove()
})

const put = (streams: object) =>
  Object.defineProperties(
    process,
    Object.fromEntries(Object.entries(streams).map(([name, value]) => [name, { value, configurable: true }])),
  )

const [FIRST, SECOND] = [validValue('iban', 1), validValue('iban', 2)]
const TWO = `Name;IBAN 1;IBAN 2\nA;${FIRST};${SECOND}\nB;${SECOND};${FIRST}\n`

function listOf(text: string, ...more: readonly string[]): ListOptions {
  const file = join(scratch.path, 'list.csv')
  writeFileSync(file, text)
  return readBuyOptions(['iban', '--file', file, ...more]).source as ListOptions
}

let shown: string
const seen = () => shown

test('two columns that may be meant: a person is shown both, and no value, and answers by number or by name', async () => {
  for (const answer of ['3', ' IBAN 2 ']) {
    terminal.types.write(`${answer}\n`)
    const { columns } = await chooseColumn(listOf(TWO), true)
    expect(columns).toEqual([{ type: 'iban', column: answer.trim() }])
    const question = seen()
    expect(question).toContain('IBAN 1')
    expect(question).toContain('IBAN 2')
    expect(question).toContain('Number or name of the column: ')
    expect(question).not.toContain(FIRST.slice(0, 8))
    expect(question).not.toContain(SECOND.slice(0, 8))
  }
})

test('an answer of nothing leaves the list as it is, which the command then refuses', async () => {
  terminal.types.write('\n')
  const list = listOf(TWO)
  expect(await chooseColumn(list, true)).toEqual(list)
})

test.each([
  ['one column fits', `Name;IBAN\nA;${FIRST}\n`, [], true],
  ['the column is named', TWO, ['--column', 'IBAN 1'], true],
  ['no one can answer', TWO, [], false],
])('nothing is asked if %s', async (_what, text, more, mayAsk) => {
  const list = listOf(text, ...more)
  expect(await chooseColumn(list, mayAsk)).toEqual(list)
  expect(seen()).toBe('')
})

test('another fault of the list is no question', async () => {
  await expect(chooseColumn(listOf(':20:STARTUMSE\n:25:10020030/1234567\n:28C:5/1\n'), true)).rejects.toThrow(
    UsageError,
  )
  expect(seen()).toBe('')
})

test('a person can answer on a terminal only, not in CI, and not a program that reads JSON', () => {
  expect([isAnswerable(false), isAnswerable(true)]).toEqual([true, false])
  for (const stream of [terminal.types, terminal.shows]) {
    stream.isTTY = false
    expect(isAnswerable(false)).toBe(false)
    stream.isTTY = true
  }
  process.env.CI = 'true'
  expect(isAnswerable(false)).toBe(false)
})
