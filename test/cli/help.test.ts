import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { COMMAND_HELP, HELP } from '../../src/cli/help.ts'

const PAGE = readFileSync(new URL('../../docs/cli.md', import.meta.url), 'utf8')

test.each([['the program', HELP], ...Object.entries(COMMAND_HELP)])('%s: fits 80 columns', (_of, text) => {
  for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
})

test('every command it lists has a help of its own, with the exit codes', () => {
  const listed = [...HELP.matchAll(/^ {2}([a-z]+) +(?:[A-Z]|run|[a-z]+ )/gm)].map(([, name]) => name)
  for (const name of Object.keys(COMMAND_HELP)) expect(listed).toContain(name)
  for (const text of Object.values(COMMAND_HELP)) expect(text).toContain('Exit codes')
})

test('docs/cli.md shows the help of buy as it is', () => {
  expect(PAGE).toContain(COMMAND_HELP.buy)
})
