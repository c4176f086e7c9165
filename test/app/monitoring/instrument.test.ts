import type { FacilitatorClient } from '@x402/core/server'
import { expect, test } from 'vitest'
import { instrument } from '../../../src/app/monitoring/instrument.ts'
import { scrape } from '../../../src/app/monitoring/scrape.ts'
import type { Ledger } from '../../../src/ledger/ledger.ts'
import type { PaymentRow } from '../../../src/ledger/payments/payment-row.ts'
import { StoreUnavailable } from '../../../src/ledger/store/store-unavailable.ts'
import type { ChainReader } from '../../../src/payments/chain/chain-reader.ts'
import { BASE } from '../../../src/payments/networks/base.ts'
import { NO_GAUGES } from '../../support/no-gauges.ts'

const row = { state: 'in_doubt', surface: 'mcp', checkType: 'email' } as PaymentRow

const instrumented = (methods: Partial<Ledger>) => {
  const clearedUp: unknown[] = []
  const parts = instrument({
    ledger: methods as Ledger,
    networks: [{ network: BASE, facilitator: {} as FacilitatorClient, chain: {} as ChainReader }],
    proofOnChain: false,
    onClearedUp: ({ surface, checkType }, outcome) => clearedUp.push([surface, checkType, outcome]),
  })
  return { ...parts, clearedUp }
}

test('a scrape the store does not answer counts the failure and shows no figure in its place', async () => {
  const { ledger, metrics } = instrumented({
    backlog: () => Promise.reject(new StoreUnavailable('away')),
    load: { waiting: () => 0, connections: () => null },
  })
  const { body } = await scrape({
    metrics,
    ledger,
    networks: [
      {
        network: BASE,
        chainUp: () => true,
        scanBehind: async () => null,
        troubles: () => [],
        gauges: () => NO_GAUGES,
      },
    ],
    troubles: async () => [],
    now: () => 0,
  })
  expect(body).toContain('format_checker_store_failures_total{kind="read"} 1')
  expect(body).not.toMatch(/^format_checker_open_payments\{/m)
})

test('what the chain clears up is counted for the day and for Prometheus', async () => {
  const { ledger, metrics, clearedUp } = instrumented({ move: async () => row })
  await ledger.move(row, { state: 'settled', transaction: '0x1', logIndex: 2 })
  await ledger.move(row, { state: 'void' })
  await ledger.move(row, { state: 'refused' })
  expect(clearedUp).toEqual([
    ['mcp', 'email', 'reconciled'],
    ['mcp', 'email', 'written_off'],
  ])
  const body = await metrics.expose()
  expect(body).toContain('format_checker_reconciled_rows_total{outcome="settled"} 1')
  expect(body).toContain('format_checker_reconciled_rows_total{outcome="void"} 1')
})
