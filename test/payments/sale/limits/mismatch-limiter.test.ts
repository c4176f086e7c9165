import { describe, expect, test } from 'vitest'
import { judgeRepeat } from '../../../../src/payments/sale/limits/judge-repeat.ts'
import { createMismatchLimiter, LOCKED_FROM } from '../../../../src/payments/sale/limits/mismatch-limiter.ts'
import { newPayment } from '../../../support/payment-rows.ts'

const START = 1_800_000_000_000
const key = newPayment()

describe('a client that names differing calls under one authorization', () => {
  const noted = (times: number, at = START) => {
    const limiter = createMismatchLimiter()
    for (let tries = 0; tries < times; tries += 1) limiter.note('client', key, at)
    return limiter
  }

  test.each([
    [4, 0],
    [5, 10_000],
    [6, 20_000],
    [13, 2_560_000],
    [14, 3_600_000],
    [49, 3_600_000],
  ])('after %d of them waits %d ms', (times, pauseMs) => {
    expect(noted(times).pauseMs('client', key, START)).toBe(pauseMs)
  })

  test('has waited once the pause is over, and no longer if the clock is put back', () => {
    const limiter = noted(5)
    expect(limiter.pauseMs('client', key, START + 9_999)).toBe(1)
    expect(limiter.pauseMs('client', key, START + 10_001)).toBe(0)
    expect(limiter.pauseMs('client', key, START - 60_000)).toBe(10_000)
  })

  test('waits alone, and under this authorization alone', () => {
    const limiter = noted(5)
    const others = [
      limiter.pauseMs('another', key, START),
      limiter.pauseMs('client', { ...key, payer: `0x${'77'.repeat(20)}` }, START),
      limiter.pauseMs('client', { ...key, nonce: `0x${'77'.repeat(32)}` }, START),
    ]
    expect(others).toEqual([0, 0, 0])
  })

  test('is forgotten after ten thousand others, and not before', () => {
    const limiter = noted(5)
    for (let others = 0; others < 9_999; others += 1) limiter.note(`${others}`, key, START)
    expect(limiter.pauseMs('client', key, START)).toBe(10_000)
    for (let others = 0; others < 10_000; others += 1) limiter.note(`next ${others}`, key, START)
    expect(limiter.pauseMs('client', key, START)).toBe(0)
  })
})

describe('a repeat', () => {
  const judged = async (isSame: boolean, { mismatches = 0, pauseMs = 0 } = {}) => {
    const counted: boolean[] = []
    const notes: string[] = []
    const judgement = await judgeRepeat({
      ...{ client: 'client', key, now: START },
      limiter: { pauseMs: () => pauseMs, note: (client) => void notes.push(client) },
      isSame: async () => isSame,
      count: async (isDiffering) => {
        counted.push(isDiffering)
        return mismatches
      },
    })
    return { judgement, notes: notes.length, counted }
  }

  test.each([
    ['the same call', true, {}, ['same', 0, false]],
    ['another call', false, {}, ['other', 1, true]],
    ['the same call, one short of the lock', true, { mismatches: LOCKED_FROM - 1 }, ['same', 0, false]],
    ['the same call, locked', true, { mismatches: LOCKED_FROM }, ['locked', 1, false]],
    ['another call, locked', false, { mismatches: LOCKED_FROM }, ['locked', 1, true]],
    ['a client that must wait a millisecond', true, { pauseMs: 1 }, ['throttled', 0]],
  ] as const)('of %s', async (_, isSame, given, [judgement, notes, ...counted]) => {
    expect(await judged(isSame, given)).toEqual({ judgement, notes, counted })
  })
})
