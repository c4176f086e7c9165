import { BUYER_PROGRAM } from './buyer-program.ts'
import { runProgram } from '../../../src/command-line/run-program.ts'

// `scripts/pack.ts` bundles this file as the command that can be installed.
await runProgram(BUYER_PROGRAM)
