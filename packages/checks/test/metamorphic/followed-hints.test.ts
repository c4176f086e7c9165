/**
 * Every hint of every type, followed on drawn mistakes. `METAMORPHIC_CASES` and `METAMORPHIC_SEED` in the environment set how
 * many a type are drawn and from which seed; a nightly run draws 20,000 and more.
 */
import { expect, test } from 'vitest'
import { compactOf, followHint } from '../../../../test/support/mend.ts'
import { noisyValues } from '../../../../test/support/noise.ts'
import { HINTS } from '../../src/advice/hints.ts'
import { CHECKS } from '../../src/checks.ts'
import { CHECK_TYPES, type CheckType } from '../../src/verdict.ts'

const CASES = Number(process.env.METAMORPHIC_CASES ?? 3_000)
const SEED = Number(process.env.METAMORPHIC_SEED ?? 20261128)
const MOST_STEPS = 64

/** What the last value is after following every hint, and whether one of them left a part out. */
function followed(type: CheckType, value: string) {
  let current = value
  let isCut = false
  for (let step = 0; step < MOST_STEPS; step++) {
    const { valid, details } = CHECKS[type](current)
    if (valid) return { end: current, isCut }
    const next = followHint(type, current, details)
    if (next === current) break
    const { mend } = details.hint === undefined ? {} : HINTS[details.hint]
    isCut ||= details.span !== undefined || mend === 'remove' || mend === 'cut_behind' || mend === 'cut_label'
    current = next
  }
  return undefined
}

test.each(CHECK_TYPES)('%s: followed hints end at another value once in 10,000, by removal never', (type) => {
  const astray = noisyValues(type, CASES, SEED).flatMap(({ value, meant, slip }) => {
    if (CHECKS[type](value).valid) return []
    const found = followed(type, value)
    const isMeant =
      found !== undefined &&
      meant !== null &&
      compactOf(type, found.end).toLowerCase() === compactOf(type, meant).toLowerCase()
    return found === undefined || isMeant ? [] : [{ slip, value, ...found }]
  })
  expect(astray.filter(({ isCut }) => isCut)).toEqual([])
  expect(astray.length, JSON.stringify(astray)).toBeLessThanOrEqual(CASES / 10_000)
})
