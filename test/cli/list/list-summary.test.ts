import { expect, test } from 'vitest'
import { createTally, describeSummary } from '../../../src/cli/list/list-summary.ts'

const NOTHING_SPENT = { spent: 0n, uncertain: 0n }
const invalid = (code: string) =>
  ({ kind: 'checked', valid: false, code, reason: '', normalized: null }) as const

test('codes of a service move nothing on the terminal, and print no lines of their own', () => {
  const tally = createTally()
  tally.add(invalid('x\u001b[2J\u009b2J\nspent    0 USDC'))
  const words = describeSummary(tally.summary(NOTHING_SPENT))
  expect(words.split('\n')).toHaveLength(3)
  expect(words.replaceAll('\n', '')).toMatch(/^\P{Cc}*$/u)
})

test.each(['constructor', '__proto__', 'toString'])('a code is only a name: %s', (code) => {
  const tally = createTally()
  tally.add(invalid(code))
  tally.add(invalid(code))
  expect(tally.summary(NOTHING_SPENT).checked).toBe(2)
  expect(describeSummary(tally.summary(NOTHING_SPENT))).toContain(`2 invalid (${code} 2)`)
})
