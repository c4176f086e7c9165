/** What requests leave behind among V8's old objects, which only a full collection frees; that one holds all sales up. */
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { inFlightMap } from '../../../src/caches/in-flight-map.ts'
import { decodePayment, readText } from '../../../src/payments/authorization/decode-payment.ts'
import { BASE } from '../../../src/payments/networks/base.ts'
import type { Terms } from '../../../src/payments/terms/terms.ts'
import { freshAccount, termsFor } from '../../support/chain-payments.ts'
import { headerFor } from '../../support/payment-header.ts'

setFlagsFromString('--expose-gc')
const collect: (options: { readonly type: 'minor' | 'major' }) => void = runInNewContext('gc')

const ROUNDS = 40
const REQUESTS = 25
const KB = 1_024

const oldBytes = () =>
  getHeapSpaceStatistics().find(({ space_name }) => space_name === 'old_space')?.space_used_size ?? 0

/** Kilobytes of old objects for each request, with the young ones collected after some of them. */
function kilobytesLeft(request: (index: number) => void): number {
  const run = () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      for (let index = 0; index < REQUESTS; index += 1) request(round * REQUESTS + index)
      collect({ type: 'minor' })
    }
  }
  // Once to compile it and to make old what stays.
  run()
  collect({ type: 'major' })
  const before = oldBytes()
  run()
  return (oldBytes() - before) / KB / (ROUNDS * REQUESTS)
}

it('a decoded payment leaves nothing', async () => {
  const account = freshAccount()
  const { address } = freshAccount()
  const text = await headerFor(account, address)
  const terms = { network: BASE, requirements: termsFor(address) } as unknown as Terms
  expect(decodePayment(readText(text), terms).kind).toBe('payment')
  expect(kilobytesLeft(() => decodePayment(readText(text), terms))).toBeLessThan(0.5)
})

it('an entry of what is in flight leaves nothing', () => {
  const entries = inFlightMap<object>()
  const left = kilobytesLeft((index) => {
    entries.set(`entry ${index}`, { many: Array.from({ length: 200 }, (_, at) => ({ at })) })
    entries.delete(`entry ${index - 4}`)
  })
  expect(left).toBeLessThan(0.5)
})
