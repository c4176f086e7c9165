import type { Program } from '../../../src/command-line/run-program.ts'

export const BUYER_PROGRAM = {
  try: async () => (await import('./try.ts')).tryCheck,
  buy: async () => (await import('./buy/buy.ts')).buy,
  refund: async () => (await import('./channel/refund.ts')).refund,
  mcp: async () => (await import('./mcp/mcp.ts')).mcp,
  verify: async () => (await import('./verify/verify.ts')).verifyCommand,
} as const satisfies Program
