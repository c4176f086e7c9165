import { type BuyerCommand, COMMAND_NAMES, COMMANDS, type CommandName } from './command-line/commands.ts'
import { parseArguments } from './command-line/parse-arguments.ts'
import { type Program, runProgram } from './command-line/run-program.ts'

const PROGRAM: Program<Exclude<CommandName, BuyerCommand>> = {
  serve: async () => {
    const { serve } = await import('./main/serve.ts')
    return async (args) => {
      parseArguments(COMMANDS.serve, args)
      await serve()
      return undefined
    }
  },
  signer: async () => {
    const { serveSigner } = await import('./main/signer/serve-signer.ts')
    return async (args) => {
      parseArguments(COMMANDS.signer, args)
      return serveSigner()
    }
  },
  doctor: async () => (await import('./cli/doctor/doctor.ts')).doctor,
  stats: async () => (await import('./cli/operator/stats.ts')).stats,
  reconcile: async () => (await import('./cli/operator/reconcile.ts')).reconcile,
  migrate: async () => (await import('./cli/operator/migrate.ts')).migrate,
}

// In a clone the launcher runs the other commands from packages/command; the help lists them all.
await runProgram(PROGRAM, COMMAND_NAMES)
