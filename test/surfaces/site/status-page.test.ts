import { afterEach, describe, expect, it } from 'vitest'
import { PAYMENT_TROUBLES, type PaymentTrouble } from '../../../src/surfaces/site/status/status.ts'
import { escapeMarkup } from '../../../src/values/html.ts'
import { pageContext, type Site, startSite } from './site-service.ts'

let site: Site
afterEach(() => site.stop())

const startWith = async (state: 'ok' | 'degraded' | 'paused', reasons: readonly PaymentTrouble[]) => {
  site = await startSite(false, async () => ({
    payments: { state, reasons },
    version: '9.9.9',
    uptimeSeconds: 90_061,
    rulesets: { iban: 'iban:swift-r102' },
  }))
  return site.ask('/status', { Accept: 'text/html' })
}

describe('/status', () => {
  it('says that paid calls work, for how long, and by which rules', async () => {
    const { status, headers, body } = await startWith('ok', [])
    expect(status).toBe(200)
    expect(headers['cache-control']).toBe('no-store')
    const page = body.toString()
    for (const words of ['Paid calls work', 'up for 1 d 1 h', 'iban:swift-r102'])
      expect(page).toContain(words)
  })

  it('names each source of the rules with the edition in force and its date', async () => {
    const { body } = await startWith('ok', [])
    const page = body.toString()
    for (const { sources } of pageContext().skills.all) {
      for (const { title, edition, date } of sources) {
        expect(page).toContain(escapeMarkup(title))
        expect(page).toContain(`, ${escapeMarkup(edition)} <time datetime="${date}">${date}</time>`)
      }
    }
  })

  it('says what is wrong in a sentence for every reason there is', async () => {
    const { body } = await startWith('paused', PAYMENT_TROUBLES)
    const page = body.toString()
    expect(page).toContain('Paid calls are paused')
    for (const trouble of PAYMENT_TROUBLES)
      expect(page).toMatch(new RegExp(`<li>[A-Z][^<]+\\. <code>${trouble}</code></li>`))
  })

  it('draws each day as a bar, with its share of paid calls answered, and lists the days in a table', async () => {
    site = await startSite(false, undefined, async () => ({
      days: [
        { day: '2026-11-19', counts: null },
        {
          day: '2026-11-20',
          counts: { answered: 9_999, failed: 1, within_250_ms: 9_000, within_1_s: 998, minutes: 1_441 },
        },
        { day: '2026-11-21', counts: { answered: 995, failed: 5, minutes: 1_400 } },
        { day: '2026-11-22', counts: { answered: 9, failed: 1, minutes: 1_440 } },
        { day: '2026-11-23', counts: {} },
        { day: '2026-11-24', counts: { minutes: 360 } },
      ],
      lastSaleHour: '2026-11-22T07',
      incidents: ['2026-11-22: <b>the node</b> was away'],
    }))
    const page = (await site.ask('/status', { Accept: 'text/html' })).body.toString()
    expect([...page.matchAll(/<rect class="(\w+)"/g)].map(([, level]) => level)).toEqual([
      'none',
      'good',
      'fair',
      'bad',
      'bad',
      'good',
    ])
    for (const words of [
      '<strong>99.93 %</strong> of 11,010 paid calls answered; 90.86 % of the answers within a second.',
      '2026-11-19: not counted yet',
      '2026-11-20: 99.99 % of 10,000 paid calls answered, up for 1440 minutes',
      '2026-11-24: no paid call, up for 360 minutes',
      '<th scope="row">2026-11-22</th><td>10</td><td>9</td><td>1440</td>',
      '<time datetime="2026-11-22T07:00Z">2026-11-22, 07:00-08:00 UTC</time>',
      '2026-11-22: &lt;b&gt;the node&lt;/b&gt; was away',
    ])
      expect(page).toContain(words)
  })
})
