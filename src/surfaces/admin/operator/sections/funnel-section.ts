import { type Html, html } from '../../../../http/body/html.ts'
import { daysUpTo } from '../../../../ledger/utc-days.ts'
import { bars } from '../charts.ts'
import type { Figures } from '../figures/figures.ts'
import { buildFunnel } from '../figures/funnel.ts'
import { isWithin, type ViewRange } from '../figures/view-range.ts'
import { plain } from '../numbers.ts'
import { FAILED, table } from '../tables.ts'

/** From the payment to the delivered verdict, by surface, and what stopped the others. */
export function funnelSection({ counts, sales, at }: Figures, range: ViewRange): Html {
  if (counts.kind === 'failed' || sales.kind === 'failed') return FAILED
  const [first = ''] = daysUpTo(at, range.days)
  const isShown = (cell: { day: string; checkType: string; surface: string }) =>
    cell.day >= first && isWithin(range, cell)
  const [tried, sold] = [counts.value.filter(isShown), sales.value.filter(isShown)]
  const { quoted, paid, settled, delivered, drops, replayed, reconciled, writtenOff } = buildFunnel(
    tried,
    sold,
  )
  const surfaces = [...new Set([...tried, ...sold].map(({ surface }) => surface))].toSorted()
  return html`<div class="charts">
${bars('Calls with a payment, own ones included', [
  { name: 'paid', value: paid },
  { name: 'settled', value: settled, note: share(settled, paid, 'of paid') },
  { name: 'delivered', value: delivered, note: share(delivered, settled, 'of settled') },
])}
<div class="wide">${table(
    'Funnel by surface',
    ['Surface', 'Quotes', 'Paid', 'Settled', 'Delivered'],
    surfaces.map((name) => {
      const ofSurface = ({ surface }: { readonly surface: string }) => surface === name
      const each = buildFunnel(tried.filter(ofSurface), sold.filter(ofSurface))
      const settledShare = html`${plain(each.settled)} <small>${share(each.settled, each.paid)}</small>`
      const deliveredShare = html`${plain(each.delivered)} <small>${share(each.delivered, each.settled)}</small>`
      return [name, plain(each.quoted), plain(each.paid), settledShare, deliveredShare]
    }),
  )}</div>
${
  drops.length > 0 &&
  bars(
    'Why a payment was no sale',
    drops.map(([name, value]) => ({ name, value, note: share(value, paid, 'of paid') })),
  )
}
</div><p>Quotes given: ${plain(quoted)}. Repeated paid calls, answered again and not charged: ${plain(replayed)}. Resolved by the chain: ${plain(reconciled)} were paid, ${plain(writtenOff)} never charged. Calls over payment channels that were sold are not counted here.</p>`
}

const share = (part: number, whole: number, of = ''): string =>
  whole === 0 ? '' : `${Math.round((part / whole) * 1000) / 10} %${of === '' ? '' : ` ${of}`}`
