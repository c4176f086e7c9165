import { expect, test } from 'vitest'
import {
  createRefusalLimiter,
  waitOf,
  walletsOf,
} from '../../../../src/payments/sale/limits/refusal-limiter.ts'

const START = 1_800_000_000_000

test('the fourth refusal in a minute must wait until the first is a minute old', () => {
  const limiter = createRefusalLimiter()
  for (const at of [0, 10_000, 20_000]) {
    expect(limiter.waitSeconds('payer', START + at)).toBe(0)
    limiter.note('payer', START + at)
  }
  const waitAt = (at: number) => limiter.waitSeconds('payer', START + at)
  expect([20_000, 20_001, 58_999, 59_000, 59_999, 60_000].map(waitAt)).toEqual([40, 40, 2, 1, 1, 0])
  expect(limiter.waitSeconds('another', START + 20_000)).toBe(0)
  limiter.note('payer', START + 60_000)
  expect(waitAt(60_000)).toBe(10)
})

test('refusals that are noted during the wait make it longer, since only the newest three count', () => {
  const limiter = createRefusalLimiter()
  for (const at of [0, 1_000, 2_000, 30_000]) limiter.note('payer', START + at)
  expect(limiter.waitSeconds('payer', START + 30_000)).toBe(31)
})

test('a clock that was put back forgets the refusals after it', () => {
  const limiter = createRefusalLimiter()
  for (let refusals = 0; refusals < 3; refusals += 1) limiter.note('payer', START)
  expect(limiter.waitSeconds('payer', START)).toBe(60)
  expect(limiter.waitSeconds('payer', START - 1)).toBe(0)
})

test('ten thousand names are remembered, and the one that was seen last is not forgotten', () => {
  const limiter = createRefusalLimiter()
  for (let refusals = 0; refusals < 3; refusals += 1) limiter.note('first', START)
  for (let others = 0; others < 9_999; others += 1) limiter.note(`other ${others}`, START)
  expect(limiter.waitSeconds('first', START)).toBe(60)
  for (let others = 0; others < 10_000; others += 1) limiter.note(`next ${others}`, START)
  expect(limiter.waitSeconds('first', START)).toBe(0)
})

test('a payer who signs waits for their own refusals alone, a contract wallet also for those of its client', () => {
  const waits: Record<string, number> = { payer: 3, [walletsOf('client')]: 7 }
  const refusals = { waitSeconds: (name: string) => waits[name] ?? 0 }
  const named = { payer: 'payer', client: 'client' }
  expect(waitOf(refusals, { ...named, isByPayer: true }, START)).toBe(3)
  expect(waitOf(refusals, { ...named, isByPayer: false }, START)).toBe(7)
  expect(waitOf(refusals, { payer: 'payer', client: 'another', isByPayer: false }, START)).toBe(3)
})
