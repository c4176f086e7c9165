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
})
