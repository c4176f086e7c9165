import { BUYER_PROGRAM } from './cli/buyer-program.ts'
import { COMMANDS } from './cli/command-line/commands.ts'
import { parseArguments } from './cli/command-line/parse-arguments.ts'
import { type Program, runProgram } from './cli/command-line/run-program.ts'

const PROGRAM: Required<Program> = {
  serve: async () => {
    const { serve } = await import('./main/serve.ts')
    return async (args) => {
      parseArguments(COMMANDS.serve, args)
      return serve()
    }
  },
  ...BUYER_PROGRAM,
  doctor: async () => (await import('./cli/doctor/doctor.ts')).doctor,
  stats: async () => (await import('./cli/operator/stats.ts')).stats,
  reconcile: async () => (await import('./cli/operator/reconcile.ts')).reconcile,
  migrate: async () => (await import('./cli/operator/migrate.ts')).migrate,
  'register-8004': async () => (await import('./cli/operator/register-8004.ts')).register8004,
  completion: async () => (await import('./cli/command-line/completion.ts')).completion,
}

await runProgram(PROGRAM)
