import { closest } from '../catalog/closest.ts'
import { VERSION } from '../files/version.ts'
import type { CommandSpec } from './command-spec.ts'
import { type CommandName, findCommand } from './commands.ts'
import { IN_DOUBT, NOT_DONE } from './exit-codes.ts'
import { renderCommandHelp, renderProgramHelp } from './help.ts'
import { ServiceUnreachable } from './service-unreachable.ts'
import { TAUGHT_FORM } from './taught-form.ts'
import { UsageError } from './usage-error.ts'

/** Resolves with the exit code, or with undefined to keep running. */
type Command = (args: readonly string[]) => Promise<number | undefined>

/** Commands of a program. Modules are loaded on use: a check on this machine needs neither service nor wallet. */
export type Program<Name extends CommandName> = Readonly<Record<Name, () => Promise<Command>>>

const PAYING: ReadonlySet<string> = new Set(['buy', 'refund'])

/** Runs the command that the arguments of this process name, and sets the exit code; the help lists `names`. */
export async function runProgram(
  program: Partial<Program<CommandName>>,
  names: readonly string[] = Object.keys(program),
): Promise<void> {
  const given = withoutColours(process.argv.slice(2))
  exitOnFailedOutput(given)
  stopWithLauncher()
  const code = await run(program, names, given)
  if (code !== undefined) process.exitCode = code
}

async function run(
  program: Partial<Program<CommandName>>,
  names: readonly string[],
  [name, ...args]: readonly string[],
): Promise<number | undefined> {
  if (name === undefined) {
    console.error(renderProgramHelp(names))
    return 2
  }
  if (name === '--version' || name === '-v' || name === '-V') return print(VERSION)
  const find = (of: string) => (names.includes(of) ? findCommand(of) : undefined)
  try {
    if (name === 'help' || name === '--help' || name === '-h') {
      if (args[0] === undefined) return print(renderProgramHelp(names))
      const topic = find(args[0])
      if (topic === undefined) throw unknownCommand(args[0], names)
      return print(renderCommandHelp(topic))
    }
    const spec = find(name)
    if (spec === undefined) throw unknownCommand(name, names)
    const options = beforeValues(args)
    if (options.includes('--help') || options.includes('-h')) return print(renderCommandHelp(spec))
    if (options.includes('--version')) return print(VERSION)
    const load = program[name as CommandName]
    if (load === undefined) throw new UsageError(`"${name}" is run by bin/format-checker.js`)
    return await (await load())(args)
  } catch (error) {
    if (error instanceof ServiceUnreachable) {
      console.error(`format-checker: ${error.message}`)
      return 1
    }
    if (!(error instanceof UsageError)) throw error
    const spec = find(name)
    const [usage, topic] = spec === undefined ? ['COMMAND', 'help'] : [usageFor(spec, args), `help ${name}`]
    console.error(
      `format-checker: ${error.message}\nUsage: ${TAUGHT_FORM} ${usage}\nTry "${TAUGHT_FORM} ${topic}".`,
    )
    return 2
  }
}

/** The way of calling a command that has one of the options given, else the first. */
const usageFor = ({ usage }: CommandSpec, args: readonly string[]) =>
  usage.find((line) => beforeValues(args).some((arg) => /^--\w/.test(arg) && line.includes(`${arg} `))) ??
  usage[0]

function print(text: string): number {
  console.log(text)
  return 0
}

/** What was typed may be a value, so it is not repeated. */
function unknownCommand(name: string, names: readonly string[]): UsageError {
  if (findCommand(name) !== undefined)
    return new UsageError(`"${name}" is not in this package: it needs the source of the service`)
  const suggestion = closest(name, [...names, 'help'])
  const hint = suggestion === undefined ? '' : `; did you mean "${suggestion}"?`
  return new UsageError(`there is no such command${hint}`)
}

/**
 * Silently if the reader has left (`| head`) and nothing was paid. A command that pays exits with {@link IN_DOUBT},
 * because the answer to a payment may be lost.
 */
function exitOnFailedOutput([command = '', ...args]: readonly string[]): void {
  const pays = PAYING.has(command) && !args.includes('--dry-run')
  process.stdout.on('error', ({ code = 'unknown' }: NodeJS.ErrnoException) => {
    const hasLeft = code === 'EPIPE'
    if (!hasLeft) console.error(`format-checker: the results cannot be written to the output (${code})`)
    else if (pays)
      console.error(
        'format-checker: the output was closed; what was bought and not read is lost. --out FILE keeps it.',
      )
    if (pays) process.exit(IN_DOUBT)
    process.exit(hasLeft ? undefined : NOT_DONE)
  })
}

/** Shuts down when the launcher exits. It runs on an older Node and holds the other end of the IPC channel. */
function stopWithLauncher(): void {
  if (process.channel === undefined) return
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
  process.channel?.unref()
}

/** `--no-color` is for every command, and does what NO_COLOR does. */
function withoutColours(args: readonly string[]): readonly string[] {
  const end = beforeValues(args).length
  const isColoured = (arg: string, at: number) => arg !== '--no-color' || at >= end
  if (args.every(isColoured)) return args
  process.env.NO_COLOR = '1'
  process.env.FORCE_COLOR = '0'
  return args.filter(isColoured)
}

/** Arguments after "--" are values, whatever they look like. */
const beforeValues = (args: readonly string[]) =>
  args.includes('--') ? args.slice(0, args.indexOf('--')) : args
