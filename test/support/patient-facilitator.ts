import {
  createSelfFacilitator,
  type SelfFacilitator,
  type SelfFacilitatorOptions,
} from '../../src/payments/facilitators/self/self-facilitator.ts'
import { TOKEN } from '../../src/sandbox/addresses.ts'

const NEVER_MS = 3_600_000

/** Settling in process with waits that no test outlasts, but for those that are given. */
export const patientFacilitator = ({
  timing,
  ...options
}: Pick<
  SelfFacilitatorOptions,
  'rpcUrls' | 'account' | 'journal' | 'onSigned' | 'maxCost' | 'timing' | 'batch' | 'contractWallets'
> &
  Partial<Pick<SelfFacilitatorOptions, 'finalityDepth'>>): SelfFacilitator =>
  createSelfFacilitator({
    chainId: 8453,
    finalityDepth: 0n,
    token: TOKEN,
    requestTimeoutMs: NEVER_MS,
    timing: { settleMs: NEVER_MS, confirmMs: NEVER_MS, lookMs: 20, replaceMs: NEVER_MS, ...timing },
    ...options,
  })
