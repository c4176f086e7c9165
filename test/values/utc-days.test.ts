import { expect, test } from 'vitest'
import { bindingKeyName } from '../../src/ledger/payments/binding-key.ts'
import { dayOf, daysUpTo, HOUR_MS, oncePer } from '../../src/values/utc-days.ts'

const AT = Date.UTC(2026, 1, 28, 23, 59, 59, 999)

test('a time belongs to its UTC day and hour, to the last millisecond', () => {
  expect([dayOf(AT), dayOf(AT + 1)]).toEqual(['2026-02-28', '2026-03-01'])
  expect([bindingKeyName(AT), bindingKeyName(AT + 1)]).toEqual([
    'binding-key/2026-02-28T23',
    'binding-key/2026-03-01T00',
  ])
})

test('days are counted back from the one that is given, oldest first', () => {
  expect(daysUpTo(AT + 1, 3)).toEqual(['2026-02-27', '2026-02-28', '2026-03-01'])
  expect(daysUpTo(AT, 0)).toEqual([])
})

test('a text of a period is made once in it, from the time that was asked for first', () => {
  const asked: number[] = []
  const textAt = oncePer(HOUR_MS, (at) => {
    asked.push(at)
    return String(at)
  })
  const texts = [0, HOUR_MS - 1, HOUR_MS, HOUR_MS + 1, 5].map(textAt)
  expect(texts).toEqual(['0', '0', String(HOUR_MS), String(HOUR_MS), '5'])
  expect(asked).toEqual([0, HOUR_MS, 5])
})
