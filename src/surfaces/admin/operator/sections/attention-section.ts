import { type Html, html } from '../../../../http/body/html.ts'
import type { Backlog } from '../../../../ledger/operator-figures.ts'
import { ATTENTION_LIMIT, type Figures } from '../figures/figures.ts'
import { plain } from '../numbers.ts'
import { shown, tile } from '../shown.ts'
import { attentionTables } from './attention-tables.ts'

/** What needs a person: the numbers, then the rows behind them. */
export function attentionSection({ backlog, attention, at }: Figures): Html {
  return html`${shown(backlog, (value) => backlogTiles(value, at))}${shown(attention, (rows) => attentionTables(rows, at, ATTENTION_LIMIT))}`
}

function backlogTiles(backlog: Backlog, at: number): Html {
  const { inDoubt, inDoubtSince, settling, refused, claimed, auditMissing, auditPending } = backlog
  const minutes = inDoubtSince === null ? 0 : Math.max(0, Math.floor((at - inDoubtSince) / 60_000))
  return html`<div class="tiles">${[
    tile(
      'In doubt',
      plain(inDoubt),
      inDoubtSince === null ? 'none' : `oldest: ${plain(minutes)} min`,
      inDoubt > 0 ? 'is-watch' : 'is-plain',
    ),
    tile('Under way', plain(settling), `settling; ${plain(claimed)} claimed`),
    tile('Refused', plain(refused), 'still watched on the chain'),
    tile(
      'Audit: missing',
      plain(auditMissing),
      `${plain(auditPending)} not looked for yet`,
      auditMissing > 0 ? 'is-act' : 'is-plain',
    ),
  ]}</div>`
}
