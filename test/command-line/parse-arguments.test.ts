import { describe, expect, test } from 'vitest'
import type { CommandSpec } from '../../src/command-line/command-spec.ts'
import { parseArguments } from '../../src/command-line/parse-arguments.ts'
import { UsageError } from '../../src/command-line/usage-error.ts'

const SPEC = {
  summary: '',
  usage: [],
  description: [],
  positionals: true,
  options: {
    surface: { value: 'NAME', choices: ['rest', 'mcp'], default: 'rest', help: '' },
    file: { value: 'FILE', help: '' },
    column: { value: 'NAME', again: 'refused', help: '' },
    sheet: { value: 'NAME', again: 'kept', help: '' },
    quiet: { short: 'q', help: '' },
  },
} as const satisfies CommandSpec

const parse = (...args: string[]) => parseArguments(SPEC, args)
function messageOf(...args: string[]): string {
  try {
    parse(...args)
  } catch (error) {
    if (error instanceof UsageError) return error.message
    throw error
  }
  throw new Error('nothing was refused')
}

test('options have their defaults', () => {
  expect(parse()).toEqual({
    values: { surface: 'rest', file: undefined, quiet: false },
    positionals: [],
  })
})

test.each([[['--surface', 'mcp', '-q', 'x']], [['x', '--surface=mcp', '--quiet']]])('reads %j', (args) => {
  expect(parse(...args)).toEqual({
    values: { surface: 'mcp', file: undefined, quiet: true },
    positionals: ['x'],
  })
})

test('a single dash is a value, and so is everything after "--"', () => {
  expect(parse('-').positionals).toEqual(['-'])
  expect(parse('--file', '-').values.file).toBe('-')
  expect(parse('--', '--quiet').positionals).toEqual(['--quiet'])
})

describe('an unknown option', () => {
  test('is named, with a suggestion', () => {
    expect(messageOf('x', '--serface', 'mcp')).toContain('unknown option --serface. Did you mean --surface?')
  })

  test('is named, with the options there are', () => {
    expect(messageOf('--verbose')).toContain('Its options: --surface, --file, --column, --sheet, --quiet.')
  })

  test.each([
    '--DE89370400440532013000',
    '--jan@example.pl',
    '--44051401359',
    '--0xabc=1',
  ])('%s may be a value and is not repeated', (typed) => {
    const message = messageOf('x', typed)
    expect(message).toContain('option (argument 2)')
    expect(message).not.toContain(typed.slice(2, 8))
  })
})

test.each([
  [['--file'], '--file needs a value: --file FILE'],
  [['--file', '--quiet'], '--file needs a value: --file FILE'],
  [['--surface', 'ftp'], '--surface must be one of rest, mcp'],
  [['--quiet=yes'], '--quiet takes no value'],
  [['--column', 'a', '--column=b'], '--column is taken once'],
])('%j is refused', (args, message) => {
  expect(messageOf(...args)).toBe(message)
})

test('an option that is kept is taken each time', () => {
  expect(parse('--sheet', 'a', '--quiet', '--sheet=b').values.sheet).toEqual(['a', 'b'])
  expect(parse('--quiet').values.sheet).toBeUndefined()
})

test('options of the prototype are unknown', () => {
  expect(messageOf('--constructor')).toContain('unknown option --constructor')
})
