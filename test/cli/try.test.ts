import { join } from 'node:path'
import { expect, test } from 'vitest'
import { CHECKS } from '../../src/checks/checks.ts'
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
