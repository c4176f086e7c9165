import type { CommandSpec, OptionSpec } from './command-spec.ts'
import { COMMANDS } from './commands.ts'
import { EXIT_CODES } from './exit-codes.ts'
import { wrap } from './terminal-text.ts'

const PROGRAM = 'format-checker'
const COLUMNS = 80

/** The help of a program with these commands; fits a terminal of 80 columns. */
export function renderProgramHelp(names: readonly string[]): string {
  const commands = Object.entries(COMMANDS).flatMap(([name, { summary }]) =>
    names.includes(name) ? [[name, summary] as const] : [],
  )
  return [
    `${PROGRAM}: format and checksum of identifiers, paid per call with x402`,
    '',
    ...table([...commands, ['help COMMAND', 'say more about a command, as COMMAND --help does']]),
    '',
    ...table([
      ['--version', 'print the version'],
      ['--no-color', 'no colours, as NO_COLOR has it; FORCE_COLOR has them in a pipe, too'],
    ]),
    '',
    ...exitCodes(),
  ].join('\n')
}

export function renderCommandHelp(spec: CommandSpec): string {
  const options = Object.entries(spec.options).map(
    ([name, option]) => [labelOf(name, option), helpOf(option)] as const,
  )
  return [
    ...spec.usage.map((line) => `${PROGRAM} ${line}`),
    ...spec.description.flatMap((text) => ['', ...indent(text)]),
    ...(options.length > 0 ? ['', ...table(options)] : []),
    ...(spec.notes ?? []).flatMap((text) => ['', ...indent(text)]),
    '',
    ...exitCodes(),
  ].join('\n')
}

const labelOf = (name: string, { short, value }: OptionSpec): string =>
  `${short === undefined ? '' : `-${short}, `}--${name}${value === undefined ? '' : ` ${value}`}`

function helpOf({ help, choices, default: fallback }: OptionSpec): string {
  const named = choices === undefined || help.includes(choices[0] ?? '') ? '' : `: ${choices.join(', ')}`
  return `${help}${named}${fallback === undefined ? '' : ` (default ${fallback})`}`
}

const exitCodes = (): string[] => [
  'Exit codes',
  ...EXIT_CODES.map(([code, meaning]) => `  ${String(code).padStart(3)}  ${meaning}`),
]

const indent = (text: string): string[] => wrap(text, COLUMNS - 2).map((line) => `  ${line}`)

function table(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([label]) => label.length)) + 2
  return rows.flatMap(([label, text]) =>
    wrap(text, COLUMNS - 2 - width).map((line, at) => `  ${(at === 0 ? label : '').padEnd(width)}${line}`),
  )
}
