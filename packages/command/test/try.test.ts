import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CHECKS } from 'format-checker-checks/internal/checks'
import { expect, test, vi } from 'vitest'
import { CLI, outcomeOf } from '../../../test/support/command.ts'
import { scratchDir } from '../../../test/support/service-process.ts'
import { tryCheck } from '../src/try.ts'

test('a line of input ends where JSON Lines end: a separator that a JSON string may hold is part of the value', async () => {
  const values = ['a\u2028b@example.com', 'c\u2029d@example.com', 'jan@example.pl']
  const input = values.map((value) => `${JSON.stringify(value)}\n`).join('')
  const { code, stdout } = await outcomeOf([CLI, 'try', 'email', '-'], { input })
  expect(stdout.map((line) => JSON.parse(line).details.code)).toEqual(
    values.map((value) => CHECKS.email(value).details.code),
  )
  expect(code).toBe(0)
})

test('a byte order mark before the first line is no part of it', async () => {
  const { code, stdout } = await outcomeOf([CLI, 'try', 'email', '-'], { input: '\uFEFF"jan@example.pl"\n' })
  expect([code, JSON.parse(stdout[0] ?? '').valid]).toEqual([0, true])
})

test('a line without an end is refused in one line, and none of it is repeated', async () => {
  const { code, stdout, stderr } = await outcomeOf([CLI, 'try', 'iban', '-'], {
    input: '7'.repeat(1_100_000),
  })
  expect([code, stdout]).toEqual([2, []])
  expect(stderr[0]).toBe('format-checker: the list has a line of more than a million characters')
})

test.each([
  ['as text on a terminal', [], true, 'valid GB••••••••••••••••5432\nThe country'],
  ['as JSON with --json', ['--json'], true, '{"type":"iban","valid":true'],
  ['as JSON in a pipe', [], false, '{\n  "type": "iban"'],
])('a result is printed %s', async (_how, options, onTerminal, start) => {
  const log = vi.spyOn(console, 'log').mockImplementation(() => {})
  try {
    expect(await tryCheck(['iban', 'GB82 WEST 1234 5698 7654 32', ...options], onTerminal)).toBe(0)
    expect(String(log.mock.calls[0]?.[0]).slice(0, start.length)).toBe(start)
  } finally {
    log.mockRestore()
  }
})

test('with --files a file whose first umlaut comes late is read as one in an old encoding', async () => {
  const scratch = scratchDir()
  const csv = join(scratch.path, 'suppliers.csv')
  const rows = ['A,DE89 3704 0044 0532 0130 01', ...Array(3_000).fill('A,GB82 WEST 1234 5698 7654 32')].join(
    '\n',
  )
  writeFileSync(csv, `Name,IBAN\n${rows}\nM\u00fcller,GB82 WEST 1234 5698 7654 32\n`, 'latin1')
  const { code, stdout, stderr } = await outcomeOf([CLI, 'try', '--files', 'iban', '--column', 'IBAN', csv])
  expect([code, stdout, stderr]).toEqual([1, [`${csv}: row 1: checksum`], []])
  scratch.remove()
})

test('with --files a row that is not valid is named by file, row and code, never by its value', async () => {
  const scratch = scratchDir()
  const csv = join(scratch.path, 'suppliers.csv')
  const text = join(scratch.path, 'ibans.txt')
  writeFileSync(csv, 'Name,IBAN\nA,GB82 WEST 1234 5698 7654 32\nB,\nC,DE89 3704 0044 0532 0130 01\n')
  writeFileSync(text, 'GB82WEST12345698765432\n')
  const files = (...args: string[]) => outcomeOf([CLI, 'try', '--files', 'iban', ...args])
  expect(await files('--column', 'IBAN', csv)).toMatchObject({ code: 1, stdout: [`${csv}: row 3: checksum`] })
  expect(await files(text)).toMatchObject({ code: 0, stdout: [] })
  const none = join(scratch.path, 'none.csv')
  const unread = await files(text, none, csv)
  expect(unread).toMatchObject({ code: 2, stdout: [] })
  expect(unread.stderr[0]).toBe(`format-checker: ${none}: the list cannot be read (ENOENT)`)
  expect(await files()).toMatchObject({ code: 2, stdout: [] })
  const odd = join(scratch.path, 'odd\u001b[2J.csv')
  writeFileSync(odd, 'IBAN\nDE89 3704 0044 0532 0130 01\n')
  expect((await files(odd)).stdout).toEqual([expect.stringMatching(/odd\[2J\.csv: row 1: checksum$/)])
  scratch.remove()
})

test.each([
  ['a valid value', ['iban', 'GB82 WEST 1234 5698 7654 32'], 0],
  ['a refused value', ['iban', 'GB82 WEST 1234 5698 7654 33'], 1],
  ['a refused line', ['iban', '-'], 1],
])('with --exit-code %s decides the exit code, and the output is the same', async (_what, args, expected) => {
  const input = '"GB82 WEST 1234 5698 7654 32"\n"GB82 WEST 1234 5698 7654 33"\n'
  const strict = await outcomeOf([CLI, 'try', ...args, '--exit-code'], { input })
  const plain = await outcomeOf([CLI, 'try', ...args], { input })
  expect([strict.code, plain.code]).toEqual([expected, 0])
  expect(strict.stdout).toEqual(plain.stdout)
})

test('a type that is not checked is not taken for a mistyped one', async () => {
  const { code, stderr } = await outcomeOf([CLI, 'try', 'bic', 'COBADEFFXXX'])
  expect(code).toBe(2)
  expect(stderr.join('\n')).not.toMatch(/did you mean/i)
  expect((await outcomeOf([CLI, 'try', 'nib', '1'])).stderr.join()).toContain('Did you mean pl-nip?')
})
