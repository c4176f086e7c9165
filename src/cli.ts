import { buy } from './cli/buy.ts'
import { HELP } from './cli/help.ts'
import { tryCheck } from './cli/try.ts'
import { UsageError } from './cli/usage-error.ts'
import { serve } from './main/serve.ts'

/** Each command gets its own arguments and resolves with the exit code, or undefined to go on running. */
const COMMANDS: Readonly<Record<string, (args: readonly string[]) => Promise<number | undefined>>> = {
  serve,
  try: tryCheck,
  buy,
}

/** Exit codes: 0 done, 1 failed, 2 wrong usage, 3 the outcome of a payment is not known. */
async function run([name, ...args]: readonly string[]): Promise<number | undefined> {
  if (name === undefined || name === 'help' || [name, ...args].includes('--help')) {
    console.log(HELP)
    return name === undefined ? 2 : 0
  }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  try {
    if (command === undefined) throw new UsageError('there is no such command')
    return await command(args)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    console.error(`format-checker: ${error.message}\nTry "format-checker help".`)
    return 2
  }
}

const code = await run(process.argv.slice(2))
if (code !== undefined) process.exitCode = code
