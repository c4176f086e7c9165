import { PRICE_UNITS } from '../../../../catalog/price.ts'
import { countedOf, sumTreasury } from '../../../../ledger/treasury/treasury-row.ts'
import { formatUsd, groupDigits } from '../../../../payments/networks/usdc.ts'
import { type Html, html } from '../../../../values/html.ts'
import { dayOf, daysUpTo } from '../../../../values/utc-days.ts'
import { dayChart } from '../charts.ts'
import { type AccountDay, accountByFee, RUNWAY_DAYS, runwayOf } from '../figures/account.ts'
import type { Figures } from '../figures/figures.ts'
import { counted } from '../numbers.ts'
import { ifRead, tiles } from '../tables.ts'

export function accountSection(figures: Figures, length: number): Html | null {
  const { settling, treasury, sales, at } = figures
  if (settling.state === null && settling.fee === 0n) return null
  if (settling.state === null)
    return ifRead(
      sales,
      (cells) => html`${charts(accountByFee(cells, settling.fee), length, at)}
<p>The cost is ${formatUsd(settling.fee)} for each sale, as FACILITATOR_FEE_USD says${settling.fee >= PRICE_UNITS ? `: no less than a call brings in (${formatUsd(PRICE_UNITS)})` : ''}; claims, deposits and refunds of channels are not in it.</p>`,
    )
  const { state, left } = settling
  const gasPerSale = state.gasPerSale()
  return ifRead(treasury, (days) => {
    const week = daysUpTo(at, RUNWAY_DAYS)
    const used = countedOf(sumTreasury(days.filter(({ day }) => day === dayOf(at))))
    const runway = runwayOf(
      days.filter(({ day }) => week.includes(day)),
      left,
    )
    return html`${tiles([
      [
        'Lost and reserved today',
        formatUsd(used),
        `of ${formatUsd(state.dailyLoss)}${state.isSpent ? ': new payers wait' : ''}`,
        state.isSpent && 'is-act',
      ],
      [
        'Runway',
        runway === null ? 'unknown' : counted(Math.floor(runway), 'day'),
        left === null ? 'the account was not read yet' : `gas for ${counted(left, 'settlement')}`,
        runway !== null && runway < RUNWAY_DAYS && 'is-watch',
      ],
      [
        'Newest settlement',
        state.isBelowCost ? 'at a loss' : 'covered',
        `a call brings in ${formatUsd(PRICE_UNITS)}`,
        state.isBelowCost && 'is-watch',
      ],
      [
        'Gas per sale',
        gasPerSale === null ? 'unknown' : groupDigits(Math.round(gasPerSale)),
        'median of this process in the last hour',
      ],
    ])}
${charts(days, length, at)}`
  })
}

function charts(account: readonly AccountDay[], length: number, at: number): Html {
  const days = daysUpTo(at, length)
  const byDay = new Map(account.map((each) => [each.day, each]))
  const of = (what: 'earned' | 'spent') => days.map((day) => byDay.get(day)?.[what] ?? 0n)
  return html`<div class="charts">
${dayChart({ title: 'Income of settlements by day', days, values: of('earned'), format: formatUsd })}
${dayChart({ title: 'Cost of settlements by day', days, values: of('spent'), format: formatUsd })}
</div>`
}
