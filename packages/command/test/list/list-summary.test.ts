import { expect, test } from 'vitest'
import { describeStop } from '../../src/list/describe-stop.ts'
import { createTally, describeSummary } from '../../src/list/list-summary.ts'

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

test('a run that stops names no file that may not be there: rows of a workbook are written at its end', () => {
  const words = describeStop({ kind: 'failed', message: '--out cannot be written (ENOSPC)' }, 'out.xlsx')
  expect(words).toContain('The same command continues, and pays for nothing twice.')
  expect(words).not.toContain('.part')
})
