import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { expectNoEcho } from '../../../test/support/echo.ts'
import { arbitraryAny, arbitraryInvalid, arbitraryValid } from '../../../test/support/identifiers.ts'
import { isText, vectors } from '../../../test/support/vectors.ts'
import { CHECKS } from '../src/checks.ts'
import { CHECK_TYPES, type CheckType, VERDICT_CODES, type Verdict } from '../src/verdict.ts'

const RUNS = { numRuns: 600, seed: 20260601 }
const NUMBER_TYPES = CHECK_TYPES.filter((type) => !isText(type))
const COMMON = ['code', 'ruleset', 'normalization', 'layers', 'notChecked', 'warnings']
const OPTIONAL = ['hint', 'length', 'position', 'suspects', 'characterClass']
const SPACES_AND_HYPHENS = ' \t\u00a0\u2007\u2009\u202f-\u2010\u2011\u2013'
const TRIMMED = ' \t\r\n\u00a0\ufeff'
const LAYER_STATES = ['passed', 'failed', 'not_checked', 'not_applicable']

describe.each(CHECK_TYPES)('%s', (type) => {
  const check = CHECKS[type]

  test('answers every string with a verdict whose members agree', () => {
    fc.assert(
      fc.property(arbitraryAny(type), (value) => {
        const verdict = check(value)
        const { code } = verdict.details
        expect(VERDICT_CODES).toContain(code)
        expect([verdict.valid, verdict.normalized !== null]).toEqual([code === 'ok', code === 'ok'])
      }),
      RUNS,
    )
  })

  test('accepts generated valid values and rejects foreign characters inside them', () => {
    fc.assert(
      fc.property(arbitraryValid(type), arbitraryInvalid(type), (valid, invalid) => {
        expect(check(valid).details.code).toBe('ok')
        expect(check(invalid).valid).toBe(false)
      }),
      RUNS,
    )
  })

  test('never echoes the value', () => {
    fc.assert(
      fc.property(arbitraryAny(type), (value) => expectNoEcho(type, value)),
      RUNS,
    )
  })

  test('gives the byte-identical result on repetition', () => {
    fc.assert(
      fc.property(arbitraryAny(type), (value) => {
        const first = JSON.stringify(check(value))
        check(`${value}x`)
        expect(JSON.stringify(check(value))).toBe(first)
      }),
      RUNS,
    )
  })

  test('gives own, enumerable, JSON-safe members in a fixed order', () => {
    fc.assert(
      fc.property(arbitraryAny(type), (value) => expectShape(check(value))),
      RUNS,
    )
  })

  test('reads 512 code points of anything in time proportional to their number', () => {
    for (const filler of ['1', 'A', ' ', '-', '.', 'a@', '\u{1f600}', '\u200b', 'xn--', 'a.', '.@', '+']) {
      const long = filler.repeat(512 / [...filler].length)
      expect(JSON.stringify(check(long)).length).toBeLessThan(2000)
      expect(countReads(type, long)).toBeLessThan(40 * long.length)
    }
  })
})

describe.each(NUMBER_TYPES)('%s', (type) => {
  const hasDots = vectors(type).some(({ value, valid }) => valid && value.includes('.'))
  const separators = hasDots ? `${SPACES_AND_HYPHENS}.` : SPACES_AND_HYPHENS

  test('an allowed separator anywhere never changes the verdict', () => {
    const insertions = fc.array(fc.tuple(fc.nat(), fc.constantFrom(...separators)), { maxLength: 12 })
    fc.assert(
      fc.property(arbitraryAny(type), insertions, (value, list) => {
        const grouped = list.reduce(
          (text, [at, separator]) => insertAt(text, at % (text.length + 1), separator),
          value,
        )
        // A separator behind a label, or inside one, decides whether it is a label; both are invalid.
        expect(CHECKS[type](grouped).valid).toBe(CHECKS[type](value).valid)
      }),
      RUNS,
    )
  })

  test('whitespace at the ends never changes the verdict', () => {
    const ends = fc.string({ unit: fc.constantFrom(...TRIMMED), maxLength: 5 })
    fc.assert(
      fc.property(arbitraryValid(type), ends, ends, (value, before, after) => {
        const verdict = CHECKS[type](before + value + after)
        expect(verdict.valid).toBe(true)
        expect(verdict.details.normalization.includes('trimmed')).toBe(before + after !== '')
      }),
      RUNS,
    )
  })

  test('a foreign character inside makes the value invalid and is named by class and place', () => {
    const foreign = fc
      .string({ unit: 'binary', minLength: 1, maxLength: 1 })
      .filter((unit) => !/^[A-Za-z0-9+*]$/.test(unit) && !separators.includes(unit))
    fc.assert(
      fc.property(arbitraryValid(type), fc.nat(), foreign, (value, at, character) => {
        const index = 1 + (at % (value.length - 1))
        const verdict = CHECKS[type](insertAt(value, index, character))
        expect(verdict.details).toMatchObject({ code: 'invalid_character', position: index })
        expect(verdict.details.characterClass).not.toBe('letter')
      }),
      RUNS,
    )
  })

  test('case never changes the verdict', () => {
    fc.assert(
      fc.property(arbitraryAny(type), (value) => {
        fc.pre(/^[\x20-\x7e]*$/.test(value))
        expect(CHECKS[type](value.toLowerCase()).valid).toBe(CHECKS[type](value).valid)
        expect(CHECKS[type](value.toUpperCase()).valid).toBe(CHECKS[type](value).valid)
      }),
      RUNS,
    )
  })
})

test('the case of the domain never changes the verdict on an address', () => {
  fc.assert(
    fc.property(arbitraryAny('email'), (value) => {
      const at = value.indexOf('@')
      fc.pre(at >= 0 && /^[\x20-\x7e]*$/.test(value))
      const [local, domain] = [value.slice(0, at), value.slice(at)]
      expect(CHECKS.email(local + domain.toUpperCase())).toMatchObject({ valid: CHECKS.email(value).valid })
      expect(CHECKS.email(local + domain.toLowerCase()).normalized).toBe(CHECKS.email(value).normalized)
    }),
    RUNS,
  )
})

test('the case of the PL prefix never changes the verdict on a NIP', () => {
  fc.assert(
    fc.property(arbitraryValid('pl-nip'), fc.constantFrom('PL', 'pl', 'Pl', 'pL'), (value, prefix) => {
      expect(CHECKS['pl-nip'](prefix + value).valid).toBe(true)
    }),
    RUNS,
  )
})

function insertAt(value: string, index: number, text: string): string {
  return value.slice(0, index) + text + value.slice(index)
}

function expectShape(verdict: Verdict): void {
  expect(Object.keys(verdict)).toEqual(['type', 'valid', 'normalized', 'reason', 'details'])
  const keys = Object.keys(verdict.details)
  expect(keys.slice(0, COMMON.length)).toEqual(COMMON)
  const optional = keys.slice(COMMON.length).filter((key) => OPTIONAL.includes(key))
  expect(optional).toEqual(OPTIONAL.filter((key) => optional.includes(key)))
  expect(keys.slice(COMMON.length, COMMON.length + optional.length)).toEqual(optional)
  expect(Object.keys(verdict.details.layers)).toEqual(['format', 'checksum', 'nationalCheck', 'registry'])
  expect(LAYER_STATES).toEqual(expect.arrayContaining(Object.values(verdict.details.layers)))
  expect(Reflect.ownKeys(verdict.details)).toEqual(keys)
  // toStrictEqual tells an absent member from an undefined one, which JSON would drop.
  expect(JSON.parse(JSON.stringify(verdict))).toStrictEqual(verdict)
}

/** How many times a check reads a code unit or a code point of the value: a cost that no machine's load changes. */
function countReads(type: CheckType, value: string): number {
  const { charCodeAt, codePointAt } = String.prototype
  let reads = 0
  String.prototype.charCodeAt = function (this: string, index: number): number {
    reads++
    return charCodeAt.call(this, index)
  }
  String.prototype.codePointAt = function (this: string, index: number): number | undefined {
    reads++
    return codePointAt.call(this, index)
  }
  try {
    CHECKS[type](value)
  } finally {
    Object.assign(String.prototype, { charCodeAt, codePointAt })
  }
  return reads
}
