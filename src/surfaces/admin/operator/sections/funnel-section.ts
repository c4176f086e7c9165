import { groupDigits } from '../../../../payments/networks/usdc.ts'
import { type Html, html } from '../../../../values/html.ts'
import { bars } from '../charts.ts'
import type { Figures } from '../figures/figures.ts'
import { buildFunnel } from '../figures/funnel.ts'
import { ofLast } from '../figures/view-range.ts'
import { FAILED } from '../tables.ts'

export function funnelSection({ counts, sales, at }: Figures, days: number): Html {
  if (counts.status === 'rejected' || sales.status === 'rejected') return FAILED
  const { quoted, paid, settled, delivered, drops, replayed, reconciled, writtenOff } = buildFunnel(
    ofLast(days, counts.value, at),
    ofLast(days, sales.value, at),
  )
  return html`<div class="charts">
${bars('Calls with a payment, own ones included', [
  { name: 'paid', value: paid },
  { name: 'settled', value: settled, note: share(settled, paid, 'of paid') },
  { name: 'delivered', value: delivered, note: share(delivered, settled, 'of settled') },
])}
${
  drops.length > 0 &&
  bars(
    'Why a payment was no sale',
    drops.map(([name, value]) => ({ name, value, note: share(value, paid, 'of paid') })),
  )
}
</div><p>Quotes given: ${groupDigits(quoted)}. Repeated paid calls, answered again and not charged: ${groupDigits(replayed)}. Resolved by the chain: ${groupDigits(reconciled)} were paid, ${groupDigits(writtenOff)} never charged. Calls over payment channels that were sold are not counted here.</p>`
}

const share = (part: number, whole: number, of: string): string =>
  whole === 0 ? '' : `${Math.round((part / whole) * 1000) / 10} % ${of}`
