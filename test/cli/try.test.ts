import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { CHECKS } from '../../src/checks/checks.ts'
import { tryCheck } from '../../src/cli/try.ts'
import { outcomeOf, ROOT } from '../support/command.ts'

test('a line of input ends where JSON Lines end: a separator that a JSON string may hold is part of the value', async () => {
  const values = ['a\u2028b@example.com', 'c\u2029d@example.com', 'jan@example.pl']
  const input = values.map((value) => `${JSON.stringify(value)}\n`).join('')
  const { code, stdout } = await outcomeOf([join(ROOT, 'src/cli.ts'), 'try', 'email', '-'], { input })
  expect(stdout.map((line) => JSON.parse(line).details.code)).toEqual(
    values.map((value) => CHECKS.email(value).details.code),
  )
  expect(code).toBe(0)
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
