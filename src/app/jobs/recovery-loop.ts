import { boundedCache } from '../../caches/bounded-cache.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import type { Log } from '../../log.ts'
import type { ChainReader } from '../../payments/chain/chain-reader.ts'
import { createBackoff } from '../../payments/recovery/backoff.ts'
import { type Recovery, runRecovery } from '../../payments/recovery/run-recovery.ts'
import type { Payee } from '../../payments/recovery/unknown-transfers.ts'
import { repeat } from './repeat.ts'

export interface RecoveryLoopOptions {
  readonly ledger: Ledger
  readonly chain: ChainReader
  readonly payee: Payee
  readonly owner: string
  readonly now: () => number
  readonly log: Log
  readonly onUnknownTransfer?: () => void
}

const PAUSE_MS = 60_000
/** From one row to the next: a backlog must not slow the calls beside it. 100 a second are eight million a day. */
const PACE_MS = 10

export function startRecoveryLoop(options: RecoveryLoopOptions): { stop(): Promise<void> } {
  const { log, onUnknownTransfer = () => {} } = options
  const backoff = createBackoff()
  const windows = new Map<string, bigint>()
  /** The next run finds transfers again if the store failed to keep that the blocks were searched. */
  const told = boundedCache<true>(10_000)
  let isStopping = false
  const turn = paced(PACE_MS)
  const goOn = async () => {
    if (!isStopping) await turn()
    return !isStopping
  }
  const run = async () => {
    try {
      const recovery = await runRecovery({
        ...options,
        ...{ backoff, windows, goOn },
        onMissing: ({ transaction }) => log.error({ event: 'payment_missing', transaction }, 'audit'),
        onUnknown: ({ transaction, logIndex }) => {
          const place = `${transaction}/${logIndex}`
          if (told.has(place)) return
          told.set(place, true)
          onUnknownTransfer()
          log.error({ event: 'transfer_without_row', transaction }, 'audit')
        },
      })
      if (recovery !== null && !isStopping) report(log, recovery)
    } catch {
      log.warn({ event: 'recovery_failed' }, 'store')
    }
  }
  const loop = repeat(PAUSE_MS, run, 0)
  return {
    async stop() {
      isStopping = true
      await loop.stop()
    },
  }
}

/** Returns a function whose promises resolve at least so far apart. */
function paced(ms: number): () => Promise<void> {
  let free = 0
  return async () => {
    const now = performance.now()
    free = Math.max(free + ms, now)
    if (free > now) await new Promise((resolve) => setTimeout(resolve, free - now))
  }
}

function report(log: Log, { reconciled, audited, scanned }: Recovery): void {
  const { settled, void: voided, open } = reconciled
  if (settled + voided + open > 0) log.info({ event: 'reconciled', settled, void: voided, open }, 'recovery')
  if (![reconciled, audited, scanned].every(({ complete }) => complete))
    log.warn({ event: 'recovery_cut_short' }, 'recovery')
}
