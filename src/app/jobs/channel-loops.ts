import type { Log } from '../../log.ts'
import type { PaymentLayer } from '../payment-layer.ts'
import { repeat } from './repeat.ts'

const TEND_MS = 15_000

/** Watches payment channels and claims what they owe, one replica at a time; nothing if channels are off. */
export function channelLoops({ channels }: Pick<PaymentLayer, 'channels'>, log: Log) {
  if (channels === undefined) return []
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
