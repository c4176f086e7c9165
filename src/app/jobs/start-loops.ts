import type { Ledger } from '../../ledger/ledger.ts'
import type { Log } from '../../log.ts'
import { type Clocks, windowTime } from '../../payments/chain/clocks.ts'
import { OFFER_RENEWAL_MS } from '../../payments/extensions/signed-offer.ts'
import { REPLAY_WINDOWS } from '../../payments/sale/purchase/replay-window.ts'
import { earliestOf } from '../health/payment-health.ts'
import type { Metrics } from '../monitoring/metrics.ts'
import type { AppOptions } from '../options.ts'
import type { PaymentLayer } from '../payments/payment-layer.ts'
import { channelLoops } from './channel-loops.ts'
import { startRecoveryLoop } from './recovery-loop.ts'
import { repeat } from './repeat.ts'

const HOUSEKEEPING_MS = 60_000
const COUNT_FLUSH_MS = 1_000
/**
 * If the store loses the key of the hour and this process ends before it looks, sales of this time cannot be
 * repeated.
 */
const KEY_LOOK_MS = 5_000

export interface LoopParts {
  readonly ledger: Ledger
  readonly payments: PaymentLayer
  readonly metrics: Pick<Metrics, 'unknownTransfer'>
}

export function startLoops(
  options: AppOptions,
  { ledger, payments, metrics }: LoopParts,
): () => Promise<void> {
  const { now, log } = options
  const { context, counts, renewQuotes } = payments
  const networks = [...context.networks.values()]
  const chainTime = () => earliestOf(networks.map((each) => each.chainTime()))
  const loops = [
    repeat(HOUSEKEEPING_MS, () => runHousekeeping(ledger, { now, chainTime }, log)),
    // If the store is down, the next run looks.
    repeat(KEY_LOOK_MS, () => context.bindings.keep(now()).catch(() => {})),
    repeat(COUNT_FLUSH_MS, () => counts.flush()),
    // If the signer is away, the next run signs: an offer is valid for a day.
    repeat(OFFER_RENEWAL_MS, () => renewQuotes().catch(() => {})),
    ...channelLoops(payments, log),
    ...networks.map(({ terms: { network, asset, payTo }, chain }) =>
      startRecoveryLoop({
        ...{ ledger, chain, now, log },
        owner: context.owner,
        payee: { network: network.id, asset, payTo },
        onUnknownTransfer: metrics.unknownTransfer,
      }),
    ),
  ]
  return async () => {
    await Promise.all(loops.map((loop) => loop.stop()))
  }
}

export async function runHousekeeping(ledger: Ledger, clocks: Clocks, log: Log): Promise<void> {
  try {
    await ledger.purge(windowTime(clocks), REPLAY_WINDOWS)
  } catch {
    log.warn({ event: 'housekeeping_failed' }, 'store')
  }
}
