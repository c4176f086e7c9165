import type { Ledger } from '../../ledger/ledger.ts'
import type { Log } from '../../log.ts'
import type { ChainReader } from '../../payments/chain/chain-reader.ts'
import { createBackoff } from '../../payments/recovery/backoff.ts'
import { type Recovery, recover } from '../../payments/recovery/recover.ts'
import { repeat } from './repeat.ts'

export interface RecoveryLoopOptions {
  readonly ledger: Ledger
  readonly chain: ChainReader
  /** Boot id of this process. */
  readonly owner: string
  readonly finalityDepth: bigint
  readonly now: () => number
  readonly log: Log
}

const PAUSE_MS = 60_000

/** Clears up doubtful payments and audits settled ones: at once, then every minute, one replica at a time. */
export function startRecoveryLoop(options: RecoveryLoopOptions): { stop(): Promise<void> } {
  const { ledger, chain, owner, finalityDepth, now, log } = options
  const pacer = createBackoff()
  let stopping = false
  const run = async () => {
    try {
      const recovery = await recover({
        ledger,
        chain,
        owner,
        finalityDepth,
        now,
        pacer,
        goOn: async () => !stopping,
        onMissing: ({ transaction }) => log.error({ event: 'payment_missing', transaction }, 'audit'),
      })
      if (recovery !== null && !stopping) tell(log, recovery)
    } catch {
      log.warn({ event: 'recovery_failed' }, 'store')
    }
  }
  const loop = repeat(PAUSE_MS, run, 0)
  return {
    async stop() {
      stopping = true
      await loop.stop()
    },
  }
}

function tell(log: Log, { reconciled, audited }: Recovery): void {
  const { settled, void: voided, open, complete } = reconciled
  if (settled + voided + open > 0) log.info({ event: 'reconciled', settled, void: voided, open }, 'recovery')
  if (!complete || !audited.complete) log.warn({ event: 'recovery_cut_short' }, 'recovery')
}
