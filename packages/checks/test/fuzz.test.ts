import { describe, expect, test } from 'vitest'
import { leaks } from '../../../test/support/echo.ts'
import { mutate, validValue } from '../../../test/support/identifiers.ts'
import { SeededRandom } from '../../../test/support/seeded-random.ts'
import { CHECKS } from '../src/checks.ts'
import { PROFILES } from '../src/light-checks.ts'
import { CHECK_TYPES, VERDICT_CODES } from '../src/verdict.ts'

const INPUTS_PER_TYPE = 8000
const CODES = new Set<string>(VERDICT_CODES)
const NOISE = [
  '\u200b',
  '\u202e',
  '\ufeff',
  '\u00a0',
  '\u3000',
  '\u0085',
  '\u2028',
  '\u017f',
  '\u0131',
  '\u00df',
  '\u212a',
  '\ufb01',
  '\ufb06',
  '\u0661',
  '\uff15',
  '\u0410',
  '\u2022',
  '\ud83d\ude00',
  '\ud83d',
  '\ude00',
  '\u{e0041}',
  '\u{1d7d8}',
  'e\u0301',
  '\u0000',
  '\u007f',
  '\r\n',
  '\\',
  '"',
  '<',
  '%00',
]

/** A valid value with up to five slips, foreign pieces, repetitions or labels. */
function fuzzed(seed: number, base: string): string {
  const random = new SeededRandom(seed)
  let value = base
  for (let left = random.int(6); left > 0; left--) {
    const at = random.int(value.length + 1)
    const kind = random.int(5)
    if (kind === 0) value = value.slice(0, at) + random.pick(NOISE) + value.slice(at)
    else if (kind === 1) value = value.slice(at) + value.slice(0, at)
    else if (kind === 2)
      value = random.pick(['IBAN: ', 'nip ', 'mailto:', '\ufeff', ' ', 'PL', 'GR', 'EU']) + value
    else value = mutate(value, random)
  }
  return value.slice(0, 512)
}

describe.each(CHECK_TYPES)('%s', (type) => {
  test(`stands ${INPUTS_PER_TYPE} broken values`, () => {
    const seen = new Set<string>()
    const unsound: unknown[] = []
    for (let seed = 0; seed < INPUTS_PER_TYPE; seed++) {
      const value = fuzzed(seed, validValue(type, seed % 500))
      const verdict = CHECKS[type](value)
      const { code } = verdict.details
      seen.add(code)
      const agrees = verdict.valid === (code === 'ok')
      const leaked = verdict.valid ? leaks(type, value, JSON.stringify({ ...verdict, details: null })) : []
      const isSound = agrees && CODES.has(code) && verdict.reason !== undefined && leaked.length === 0
      if (!isSound) unsound.push({ seed, code, agrees, leaked })
    }
    expect(unsound).toEqual([])
    expect(seen.size).toBeGreaterThan(Math.min(4, Object.keys(PROFILES[type].codes).length / 2))
  })
})
