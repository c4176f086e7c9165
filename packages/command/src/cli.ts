import type { BuyerCommand } from '../../../src/command-line/commands.ts'
import { type Program, runProgram } from '../../../src/command-line/run-program.ts'

/** Modules are loaded on use. `scripts/pack.ts` bundles this file. */
const PROGRAM: Program<BuyerCommand> = {
  try: async () => (await import('./try.ts')).tryCheck,
  buy: async () => (await import('./buy/buy.ts')).buy,
  refund: async () => (await import('./channel/refund.ts')).refund,
  mcp: async () => (await import('./mcp/mcp.ts')).mcp,
  verify: async () => (await import('./verify/verify.ts')).verifyCommand,
}

await runProgram(PROGRAM)
