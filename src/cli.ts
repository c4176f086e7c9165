import { VERSION } from './app/version.ts'
import { ServiceUnreachable } from './cli/buy/service-unreachable.ts'
import { closest } from './cli/command-line/closest.ts'
import { COMMAND_NAMES, COMMANDS, type CommandName, findCommand } from './cli/command-line/commands.ts'
import { IN_DOUBT, NOT_DONE } from './cli/command-line/exit-codes.ts'
import { renderCommandHelp, renderProgramHelp } from './cli/command-line/help.ts'
import { parseArguments } from './cli/command-line/parse-arguments.ts'
import { UsageError } from './cli/command-line/usage-error.ts'

/** Gets its own arguments and resolves with the exit code, or undefined to keep running. */
type Command = (args: readonly string[]) => Promise<number | undefined>

/** Modules are loaded on use: a check on this machine needs neither the service nor a wallet. */
const LOADERS: Readonly<Record<CommandName, () => Promise<Command>>> = {
  serve: async () => {
    const { serve } = await import('./main/serve.ts')
    return async (args) => {
      parseArguments(COMMANDS.serve, args)
      return serve()
    }
  },
  try: async () => (await import('./cli/try.ts')).tryCheck,
  buy: async () => (await import('./cli/buy/buy.ts')).buy,
  refund: async () => (await import('./cli/channel/refund.ts')).refund,
  mcp: async () => (await import('./cli/mcp/mcp.ts')).mcp,
  verify: async () => (await import('./cli/verify.ts')).verifyCommand,
  doctor: async () => (await import('./cli/doctor/doctor.ts')).doctor,
  stats: async () => (await import('./cli/operator/stats.ts')).stats,
  reconcile: async () => (await import('./cli/operator/reconcile.ts')).reconcile,
  migrate: async () => (await import('./cli/operator/migrate.ts')).migrate,
  'register-8004': async () => (await import('./cli/operator/register-8004.ts')).register8004,
  completion: async () => (await import('./cli/command-line/completion.ts')).completion,
}

/** Commands that pay, unless they only show what they would pay. */
const PAYING: ReadonlySet<string> = new Set(['buy', 'refund'])

async function run([name, ...args]: readonly string[]): Promise<number | undefined> {
  if (name === undefined) {
    console.error(renderProgramHelp())
    return 2
  }
  if (name === '--version' || name === '-v' || name === '-V') return print(VERSION)
  try {
    if (name === 'help' || name === '--help' || name === '-h') return print(helpFor(args[0]))
    const spec = findCommand(name)
    if (spec === undefined) throw unknownCommand(name)
    const options = beforeValues(args)
    if (options.includes('--help') || options.includes('-h')) return print(renderCommandHelp(spec))
    const command = await LOADERS[name as CommandName]()
    return await command(args)
  } catch (error) {
    if (error instanceof ServiceUnreachable) {
      console.error(`format-checker: ${error.message}`)
      return 1
    }
    if (!(error instanceof UsageError)) throw error
    const topic = findCommand(name) === undefined ? 'help' : `help ${name}`
    console.error(`format-checker: ${error.message}\nTry "format-checker ${topic}".`)
    return 2
  }
}

function print(text: string): number {
  console.log(text)
  return 0
}

function helpFor(name: string | undefined): string {
  if (name === undefined) return renderProgramHelp()
  const spec = findCommand(name)
  if (spec === undefined) throw unknownCommand(name)
  return renderCommandHelp(spec)
}

/** What was typed may be a value, so it is not repeated. */
function unknownCommand(name: string): UsageError {
  const suggestion = closest(name, [...COMMAND_NAMES, 'help'])
  return new UsageError(
    suggestion === undefined
      ? 'there is no such command'
      : `there is no such command; did you mean "${suggestion}"?`,
  )
}

/**
 * Ends the process when its results cannot be written, as on a full disk; silently if the reader has left (`| head`).
 * After a command that pays the exit code says that a payment may have been made: the answer to it is lost.
 */
function exitOnFailedOutput([command = '', ...args]: readonly string[]): void {
  const pays = PAYING.has(command) && !args.includes('--dry-run')
  process.stdout.on('error', ({ code = 'unknown' }: NodeJS.ErrnoException) => {
    const hasLeft = code === 'EPIPE'
    if (!hasLeft) console.error(`format-checker: the results cannot be written to the output (${code})`)
    if (pays) process.exit(IN_DOUBT)
    process.exit(hasLeft ? undefined : NOT_DONE)
  })
}

/** Shuts down when the launcher of an older Node, which holds the other end of the IPC channel, has exited. */
function stopWithLauncher(): void {
  if (process.channel === undefined) return
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
  process.channel?.unref()
}

/** Arguments after "--" are values, whatever they look like. */
const beforeValues = (args: readonly string[]) =>
  args.includes('--') ? args.slice(0, args.indexOf('--')) : args

const given = process.argv.slice(2)
exitOnFailedOutput(given)
stopWithLauncher()
const code = await run(given)
if (code !== undefined) process.exitCode = code
