import type { ChannelTotals } from '../../../../ledger/channels/channel-totals.ts'
import { MOST_EXPOSED } from '../../../../payments/channels/claims/exposure.ts'
import { formatUsd, groupDigits } from '../../../../payments/networks/usdc.ts'
import { type Html, html } from '../../../../values/html.ts'
import { counted } from '../numbers.ts'
import { ifRead, tiles } from '../tables.ts'

export const channelsSection = (channels: PromiseSettledResult<ChannelTotals>): Html =>
  ifRead(
    channels,
    (totals) => html`${tiles([
      [
        'Open channels',
        groupDigits(totals.open),
        `${counted(totals.calls, 'call')} over ${groupDigits(totals.channels)} since the beginning`,
      ],
      ['In channels', formatUsd(totals.deposited), 'deposited, and neither withdrawn nor paid back'],
      ['Charged', formatUsd(totals.charged), `${formatUsd(totals.claimed)} of it claimed`],
      [
        'To claim',
        formatUsd(totals.exposed),
        `calls are refused beyond ${formatUsd(MOST_EXPOSED.all)}`,
        totals.exposed * 2n > MOST_EXPOSED.all && 'is-watch',
      ],
      [
        'Withdrawing',
        groupDigits(totals.withdrawing),
        `${groupDigits(totals.urgent)} with something to claim`,
        totals.urgent > 0 && 'is-act',
      ],
      ['Lost', formatUsd(totals.lost), 'withdrawn before it was claimed', totals.lost > 0n && 'is-watch'],
      [
        'Deposits in doubt',
        groupDigits(totals.depositsInDoubt),
        'looked up every 15 seconds',
        totals.depositsInDoubt > 0 && 'is-watch',
      ],
    ])}
<p>"format-checker stats --channels" exports each channel.</p>`,
  )
