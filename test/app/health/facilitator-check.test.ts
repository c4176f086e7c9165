import type { FacilitatorClient } from '@x402/core/server'
import type { SupportedResponse } from '@x402/core/types'
import { expect, test } from 'vitest'
import { askSupport, type FacilitatorSupport } from '../../../src/app/health/facilitator-check.ts'
import { FacilitatorFault } from '../../../src/payments/facilitators/facilitator-fault.ts'
import { BASE } from '../../../src/payments/networks/base.ts'
import { BASE_SEPOLIA } from '../../../src/payments/networks/base-sepolia.ts'

const kind = { x402Version: 2, scheme: 'exact', network: 'eip155:8453' }

test.each<[string, readonly object[], FacilitatorSupport]>([
  ['our kind', [kind], 'supported'],
  ['our kind among others', [{ ...kind, network: 'eip155:1' }, kind], 'supported'],
  ['nothing', [], 'unsupported'],
  ['another version', [{ ...kind, x402Version: 1 }], 'unsupported'],
  ['another scheme', [{ ...kind, scheme: 'upto' }], 'unsupported'],
  ['another network', [{ ...kind, network: 'eip155:84532' }], 'unsupported'],
])('a facilitator of %s', async (_what, kinds, expected) => {
  const facilitator = { getSupported: async () => ({ kinds }) as unknown as SupportedResponse }
  expect(await askSupport(facilitator as FacilitatorClient, BASE)).toEqual({ support: expected, symptom: {} })
})

test('a facilitator that does not answer differs from one that refuses', async () => {
  const facilitator = { getSupported: () => Promise.reject(new Error('down')) }
  expect(await askSupport(facilitator as unknown as FacilitatorClient, BASE)).toEqual({
    support: 'no_answer',
    symptom: {},
  })
})

test('it comes with what was answered instead', async () => {
  const fault = new FacilitatorFault('not_sent', 'otherwise', { symptom: { status: 401 } })
  const facilitator = { getSupported: () => Promise.reject(fault) }
  expect(await askSupport(facilitator as unknown as FacilitatorClient, BASE)).toEqual({
    support: 'no_answer',
    symptom: { status: 401 },
  })
})

test('the kind of another network of ours does not count', async () => {
  const facilitator = { getSupported: async () => ({ kinds: [kind] }) as unknown as SupportedResponse }
  expect(await askSupport(facilitator as FacilitatorClient, BASE_SEPOLIA)).toMatchObject({
    support: 'unsupported',
  })
})

test('another scheme is asked for by its name', async () => {
  const facilitator = { getSupported: async () => ({ kinds: [kind] }) as unknown as SupportedResponse }
  expect(await askSupport(facilitator as FacilitatorClient, BASE, 'batch-settlement')).toMatchObject({
    support: 'unsupported',
  })
})
