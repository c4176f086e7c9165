import { expect, test } from 'vitest'
import { describeStop } from '../../src/list/describe-stop.ts'
import { countFailures, createTally, describeSummary } from '../../src/list/list-summary.ts'

const NOTHING_SPENT = { spent: 0n, uncertain: 0n, repeated: 0 }
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

test('repeated values are said, as on the page', () => {
  const words = describeSummary(createTally().summary({ ...NOTHING_SPENT, repeated: 3 }))
  expect(words).toContain('0 invalid; 3 repeated, checked once')
})

test('words for nothing leave the exit code 0, as empty cells and totals do; what was not read does not', () => {
  const failuresOf = (code: string) => {
    const tally = createTally()
    tally.add({ kind: 'skipped', code })
    return countFailures(tally.summary(NOTHING_SPENT))
  }
  expect(['empty', 'totals_row', 'rule', 'not_a_value'].map(failuresOf)).toEqual([0, 0, 0, 0])
  expect(['digits_lost', 'several_values', 'too_many_cells'].map(failuresOf)).toEqual([1, 1, 1])
})
