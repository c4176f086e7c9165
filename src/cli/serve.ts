import { serve } from '../main/serve.ts'
import { COMMANDS } from './command-line/commands.ts'
import { parseArguments } from './command-line/parse-arguments.ts'

/** `serve`: runs the service as the environment configures it. */
export function serveCommand(args: readonly string[]): Promise<number | undefined> {
  parseArguments(COMMANDS.serve, args)
  return serve()
}
