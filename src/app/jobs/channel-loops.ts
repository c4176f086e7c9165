import type { Log } from '../../log.ts'
import { SignerUnavailable } from '../../payments/ports/signer.ts'
import type { PaymentLayer } from '../payments/payment-layer.ts'
import { repeat } from './repeat.ts'

const MAINTENANCE_MS = 15_000

/** More than one run claims. */
const MOST_CHANNELS = 1_000

/**
 * One replica at a time watches channels and claims what they owe. If channels are off, a warning names what is owed.
 */
export function channelLoops({ channels, context }: Pick<PaymentLayer, 'channels' | 'context'>, log: Log) {
  if (channels === undefined) {
    warnOfLeft(context, log)
    return []
  }
  warnOfOtherKey(context, channels.receiverAuthorizer, log)
  const run = async () => {
    try {
      const report = await channels.maintenance.run()
      if (report !== null && report.claimed + report.failed > 0)
        log.info({ event: 'channels_claimed', settled: report.claimed, open: report.failed }, 'channels')
    } catch (error) {
      log.warn({ event: 'channels_not_maintained' }, error instanceof SignerUnavailable ? 'signer' : 'store')
    }
  }
  return [repeat(MAINTENANCE_MS, run, 0)]
}

function warnOfLeft({ ledger, now }: PaymentLayer['context'], log: Log): void {
  ledger.channelTotals(now()).then(
    ({ exposed }) => {
      if (exposed > 0n) log.warn({ event: 'channels_left_unclaimed', setting: 'CHANNELS' }, 'channels')
    },
    () => {},
  )
}

/**
 * The contract takes no claim from another address than the channel's, so the payer can withdraw what was charged
 * there.
 */
function warnOfOtherKey({ ledger }: PaymentLayer['context'], receiverAuthorizer: string, log: Log): void {
  ledger.claimableChannels(MOST_CHANNELS).then(
    (rows) => {
      const lost = rows.filter(({ config }) => config.receiverAuthorizer !== receiverAuthorizer)
      if (lost.length === 0) return
      const line = {
        event: 'channels_left_unclaimed',
        setting: 'RECEIVER_AUTHORIZER_KEY',
        count: lost.length,
      }
      log.warn(line, 'channels')
    },
    () => {},
  )
}
