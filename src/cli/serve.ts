import { serve } from '../main/serve.ts'
import { COMMANDS } from './commands.ts'
import { parseArguments } from './parse-arguments.ts'

/** `serve`: runs the service as the environment configures it. */
export function serveCommand(args: readonly string[]): Promise<number | undefined> {
  parseArguments(COMMANDS.serve, args)
  return serve()
}
