import { endWithLauncher, endWithReader } from './cli/ends.ts'
import { COMMAND_HELP, HELP } from './cli/help.ts'
import { UsageError } from './cli/usage-error.ts'

type Command = (args: readonly string[]) => Promise<number | undefined>

/**
 * Each command gets its own arguments and resolves with the exit code, or undefined to go on running. Its modules
 * are loaded when it is called: a check on this machine needs neither the service nor a wallet.
 */
const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  serve: async () => (await import('./main/serve.ts')).serve,
  try: async () => (await import('./cli/try.ts')).tryCheck,
  buy: async () => (await import('./cli/buy.ts')).buy,
  reconcile: async () => (await import('./cli/reconcile.ts')).reconcile,
  stats: async () => (await import('./cli/stats.ts')).stats,
  migrate: async () => (await import('./cli/migrate.ts')).migrate,
}

/** Exit codes: 0 done, 1 not done, 2 wrong usage, 3 the outcome of a payment is not known. */
async function run([name, ...args]: readonly string[]): Promise<number | undefined> {
  if (name === undefined || name === 'help' || [name, ...beforeValues(args)].includes('--help')) {
    console.log(helpFor(name === 'help' ? args[0] : name))
    return name === undefined ? 2 : 0
  }
  const load = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  try {
    if (load === undefined) throw new UsageError('there is no such command')
    const command = await load()
    return await command(args)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    console.error(`format-checker: ${error.message}\nTry "format-checker help".`)
    return 2
  }
}

/** Of one command, or of the program. */
const helpFor = (name = ''): string => (Object.hasOwn(COMMAND_HELP, name) && COMMAND_HELP[name]) || HELP

/** A value may look like an option where it stands behind "--". */
const beforeValues = (args: readonly string[]) =>
  args.includes('--') ? args.slice(0, args.indexOf('--')) : args

endWithReader()
endWithLauncher()
const code = await run(process.argv.slice(2))
if (code !== undefined) process.exitCode = code
