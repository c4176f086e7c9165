import { beforeEach, describe, expect, test } from 'vitest'
import type { ChannelRow } from '../../../../src/ledger/channel-store.ts'
import {
  CHANNELS_ON_PAGE,
  channelPage,
  readChannelPage,
} from '../../../../src/surfaces/admin/operator/channel-page.ts'

const AT = Date.parse('2026-11-22T10:00:00Z')
const idOf = (number: number) => `0x${number.toString(16).padStart(64, '0')}`
const ADDRESS = `0x${'ab'.repeat(20)}`

const channel = (number: number, change: Partial<ChannelRow> = {}): ChannelRow => ({
  id: idOf(number),
  config: {
    ...{ payer: ADDRESS, payerAuthorizer: ADDRESS, receiver: ADDRESS, receiverAuthorizer: ADDRESS },
    ...{ token: ADDRESS, withdrawDelay: 86_400, salt: idOf(0) },
  },
  ...{ balance: 250_000n, totalClaimed: 4_000n, refundNonce: 0n, withdrawRequestedAt: 0, readAt: AT },
  ...{ charged: 9_000n, signature: 'SIGNATURE', refunding: 0n, refunded: 0n, mismatches: 0 },
  lastCall: {
    ...{ amount: 1_000n, surface: 'rest', checkType: 'iban', ruleset: 'RULESET', shape: 'single', items: 1 },
    ...{ salt: Buffer.from('SALT'), binding: Buffer.from('BINDING'), bindingKey: 'KEY' },
    ...{ chargedAt: AT - 7_200_000, transaction: null },
  },
  ...{ calls: 1_234, openedAt: AT - 86_400_000, revision: 1 },
  ...change,
})

let rows: readonly ChannelRow[]
beforeEach(() => {
  rows = Array.from({ length: 2 * CHANNELS_ON_PAGE + 1 }, (_, number) => channel(number))
})
const store = {
  listChannels: async (limit: number, after = '') => rows.filter(({ id }) => id > after).slice(0, limit),
}
const pageAt = async (query: string) =>
  channelPage(await readChannelPage(store, new URLSearchParams(query), AT), false)
const idsIn = (markup: string) =>
  [...markup.matchAll(/<th scope="row"><code>(0x[0-9a-f]+)</g)].map(([, id]) => id)
const cellsIn = (markup: string) => [...markup.matchAll(/<td>(?:<code>)?([^<]*)/g)].map(([, text]) => text)

describe('the page of single channels', () => {
  test('shows each with its sums, its withdrawal and its last call, and nothing of what was checked', async () => {
    rows = [channel(1), channel(2, { withdrawRequestedAt: AT / 1_000 - 3_600, charged: 300_000n })]
    const markup = await pageAt('')
    expect(cellsIn(markup)).toEqual([
      ...[ADDRESS, '$0.25', '$0.009', '$0.004', '$0.005', '1,234', 'none', '2 h ago'],
      // Nothing can be claimed beyond what is in the channel.
      ...[ADDRESS, '$0.25', '$0.30', '$0.004', '$0.246', '1,234', 'begun 1 h ago', '2 h ago'],
    ])
    for (const secret of ['SIGNATURE', 'SALT', 'BINDING', 'KEY', 'iban']) expect(markup).not.toContain(secret)
  })

  test('leads from page to page, each channel once', async () => {
    const seen: unknown[] = []
    for (let query: string | undefined = ''; query !== undefined; ) {
      const markup = await pageAt(query)
      expect(idsIn(markup).length).toBeLessThanOrEqual(CHANNELS_ON_PAGE)
      seen.push(...idsIn(markup))
      query = /href="\/channels\?(after=[^"]+)"/.exec(markup)?.[1]
    }
    expect(seen).toEqual(rows.map(({ id }) => id))
  })

  test('begins at the beginning for a place that is out of form, and says so where nothing is', async () => {
    expect(idsIn(await pageAt('after=%27%20or%201=1'))[0]).toBe(idOf(0))
    expect(await pageAt(`after=${idOf(999)}`)).toContain('There are no more payment channels.')
    rows = []
    expect(await pageAt('')).toContain('There is no payment channel.')
  })

  test('says that the store did not answer, and shows no number', async () => {
    const broken = { listChannels: () => Promise.reject(new Error('gone')) }
    const markup = channelPage(await readChannelPage(broken, new URLSearchParams(), AT), true)
    expect(markup).toContain('failed')
    expect(markup).toContain('SANDBOX')
    expect(cellsIn(markup)).toEqual([])
  })
})
