import { describe, expect, test } from 'vitest'
import { COMMAND_NAMES, findCommand } from '../../src/command-line/commands.ts'
import { EXIT_CODES } from '../../src/command-line/exit-codes.ts'
import { renderCommandHelp, renderProgramHelp } from '../../src/command-line/help.ts'

const helpOf = (name: string) => {
  const spec = findCommand(name)
  if (spec === undefined) throw new Error(`no command ${name}`)
  return { spec, text: renderCommandHelp(spec) }
}

test('the program lists every command, in 80 columns', () => {
  const text = renderProgramHelp(COMMAND_NAMES)
  for (const name of COMMAND_NAMES) expect(text).toMatch(new RegExp(`^  ${name} +\\w`, 'm'))
  for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
})

describe.each(COMMAND_NAMES)('help %s', (name) => {
  const { spec, text } = helpOf(name)

  test('fits 80 columns', () => {
    for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
  })

  test('names every option and exit code', () => {
    for (const option of Object.keys(spec.options)) expect(text).toContain(`--${option}`)
    for (const [code, meaning] of EXIT_CODES) expect(text).toContain(`${code}  ${meaning}`)
  })
})
