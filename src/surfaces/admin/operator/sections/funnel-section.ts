import { type Html, html } from '../../../../http/body/html.ts'
import { daysUpTo } from '../../../../ledger/utc-days.ts'
import { bars } from '../charts/bars.ts'
import type { Figures } from '../figures/figures.ts'
import { buildFunnel, type Stages } from '../figures/funnel.ts'
import { isWithin, type ViewRange } from '../figures/view-range.ts'
import { plain } from '../numbers.ts'
import { FAILED } from '../shown.ts'

/** From the quote to the delivered verdict, by surface, and what stopped the others. */
export function funnelSection({ counts, revenue, at }: Figures, range: ViewRange): Html {
  if (counts.kind === 'failed' || revenue.kind === 'failed') return FAILED
  const [first = ''] = daysUpTo(at, range.days)
  const inRange = <T extends { day: string; checkType: string; surface: string }>(cells: readonly T[]) =>
    cells.filter((cell) => cell.day >= first && isWithin(range, cell))
  const { all, bySurface, drops, replayed, reconciled, writtenOff } = buildFunnel(
    inRange(counts.value),
    inRange(revenue.value),
  )
  const rows = [...bySurface].map(
    ([name, each]) =>
      html`<tr><th scope="row">${name}</th>${stageCells(each)}</tr>
`,
  )
  return html`<div class="charts">
${bars('From quote to verdict, own calls included', [
  { name: 'quoted (402)', value: all.quoted },
  { name: 'paid', value: all.paid, note: share(all.paid, all.quoted, 'of quoted') },
  { name: 'settled', value: all.settled, note: share(all.settled, all.paid, 'of paid') },
  { name: 'delivered', value: all.delivered, note: share(all.delivered, all.settled, 'of settled') },
])}
<div class="scroll wide" tabindex="0" role="region" aria-label="Funnel by surface"><table><caption>By surface</caption><thead><tr><th scope="col">surface</th><th scope="col">quoted</th><th scope="col">paid</th><th scope="col">settled</th><th scope="col">delivered</th></tr></thead><tbody>${rows}</tbody></table></div>
${
  drops.length > 0 &&
  bars(
    'Why a payment was no sale',
    drops.map(({ reason, count }) => ({
      name: reason,
      value: count,
      note: share(count, all.paid, 'of paid'),
    })),
  )
}
</div><p>Repeated paid calls, answered again and not charged: ${plain(replayed)}. Resolved by the chain: ${plain(reconciled)} were paid, ${plain(writtenOff)} never charged.</p>`
}

const stageCells = ({ quoted, paid, settled, delivered }: Stages): Html =>
  html`<td>${plain(quoted)}</td><td>${plain(paid)} <small>${share(paid, quoted)}</small></td><td>${plain(settled)} <small>${share(settled, paid)}</small></td><td>${plain(delivered)} <small>${share(delivered, settled)}</small></td>`

/** Clients that pay at the first request make more payments than quotes, so a share may pass 100 %. */
const share = (part: number, whole: number, of = ''): string =>
  whole === 0 ? '' : `${Math.round((part / whole) * 1000) / 10} %${of === '' ? '' : ` ${of}`}`
