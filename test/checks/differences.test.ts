import { describe, expect, test } from 'vitest'
import { type BatchJudge, compare } from '../../bench/differences/differential.ts'
import { runOf } from '../../bench/differences/runs.ts'
import { valuesOf } from '../../bench/differences/values.ts'
import { CHECKS } from '../../src/checks/checks.ts'
import { CHECK_TYPES, type CheckType } from '../../src/checks/verdict.ts'
import { ibanCheckDigits } from '../support/identifiers.ts'

const COUNT = 2_000

function sample(type: CheckType, seed = 1): string[] {
  const values = valuesOf(type, seed)
  return Array.from({ length: COUNT }, () => values.next().value)
}

const ours =
  (type: CheckType): BatchJudge =>
  (values) =>
    values.map((value) => CHECKS[type](value).valid)

/** A library as simple as they come: digits and weights, nothing around them. */
const bareNip: BatchJudge = (values) =>
  values.map((value) => {
    if (!/^\d{10}$/.test(value)) return false
    const weights = [6, 5, 7, 2, 3, 4, 5, 6, 7]
    const sum = weights.reduce((total, weight, index) => total + weight * Number(value[index]), 0)
    return (sum % 11) % 10 === Number(value[9])
  })

describe.each(CHECK_TYPES)('made-up values of %s', (type) => {
  test('are the same for the same seed, and half valid', () => {
    expect(sample(type)).toEqual(sample(type))
    expect(sample(type, 2)).not.toEqual(sample(type))
    const share = sample(type).filter((value) => CHECKS[type](value).valid).length / COUNT
    expect(share).toBeGreaterThan(0.35)
    expect(share).toBeLessThan(0.9)
  })

  test('a library that judges alike differs nowhere', () => {
    expect(compare(type, sample(type), { same: ours(type) })).toEqual({
      ...{ compared: COUNT, counts: [], unexplained: [] },
    })
  })

  test('a library that judges at random is not explained away', () => {
    const contrary: BatchJudge = (values) => ours(type)(values).map((valid) => !valid)
    expect(compare(type, sample(type), { contrary }).unexplained.length).toBeGreaterThan(COUNT / 10)
  })
})

test('the differences of a simple library fall into their classes', () => {
  const run = runOf('pl-nip', { validator: bareNip }, { count: COUNT, seed: 1 }, (_compared, unexplained) =>
    expect(unexplained).toEqual([]),
  )
  expect(run.classes.map(({ decides }) => decides)).toContain(
    'Act of 13 October 1995 on the registration and identification of taxpayers',
  )
  expect(run.classes.every(({ peers }) => peers.validator! > 0)).toBe(true)
})

test('IBANs by the second transcription of the check digits are judged alike', () => {
  const byDefinition: BatchJudge = (values) =>
    values.map((value) =>
      // Only the check digits differ between the two: country and structure are ours.
      CHECKS.iban(value).details.code === 'ok'
        ? ibanCheckDigits(value.slice(0, 2), value.slice(4)) === value.slice(2, 4)
        : false,
    )
  const values = sample('iban').filter((value) => /^[A-Z]{2}[0-9A-Z]+$/.test(value))
  expect(values.length).toBeGreaterThan(COUNT / 3)
  expect(compare('iban', values, { byDefinition }).unexplained).toEqual([])
})
