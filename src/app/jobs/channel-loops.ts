import type { Log } from '../../log.ts'
import type { PaymentLayer } from '../payment-layer.ts'
import { repeat } from './repeat.ts'

const TEND_MS = 15_000

/**
 * Watches payment channels and claims what they owe, one replica at a time. If channels are off, it only says that
 * something is left to claim: then no process does.
 */
export function channelLoops({ channels, context }: Pick<PaymentLayer, 'channels' | 'context'>, log: Log) {
  if (channels === undefined) {
    warnOfLeft(context, log)
    return []
  }
  const run = async () => {
    try {
      const report = await channels.tending.run()
      if (report !== null && report.claimed + report.failed > 0)
        log.info({ event: 'channels_claimed', settled: report.claimed, open: report.failed }, 'channels')
    } catch {
      log.warn({ event: 'channels_not_tended' }, 'store')
    }
  }
  return [repeat(TEND_MS, run, 0)]
}

function warnOfLeft({ ledger, now }: PaymentLayer['context'], log: Log): void {
  ledger.channelTotals(now()).then(
    ({ exposed }) => {
      if (exposed > 0n) log.warn({ event: 'channels_left_unclaimed', setting: 'CHANNELS' }, 'channels')
    },
    () => {},
  )
}
