import { describe, expect, test } from 'vitest'
import { areDigits, decimal, digitAt } from '../../src/arithmetic/decimal.ts'

describe('decimal', () => {
  test('reads the digits between start and end', () => {
    expect(decimal('U01234B', 1, 6)).toBe(1234)
    expect(decimal('999999999999999', 0, 15)).toBe(999_999_999_999_999)
  })

  test('is 0 for an empty part', () => {
    expect(decimal('12', 1, 1)).toBe(0)
  })
})

test('digitAt reads one digit', () => {
  expect(digitAt('U07', 2)).toBe(7)
})

describe('areDigits', () => {
  test('takes ASCII digits only', () => {
    expect(areDigits('0123456789')).toBe(true)
    for (const other of ['/', ':', 'A', '+', '\u0660', '\uff11', ' '])
      expect(areDigits(`1${other}2`)).toBe(false)
  })

  test('looks only between start and end', () => {
    expect(areDigits('A12B', 1, 3)).toBe(true)
    expect(areDigits('A12B', 1)).toBe(false)
  })
})
