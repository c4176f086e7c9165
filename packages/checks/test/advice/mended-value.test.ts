import { expect, test } from 'vitest'
import { CHECKS } from '../../src/checks.ts'

test.each([
  ['pl-nip', '5260250274', '526025027K'],
  ['pl-regon', '123456785', '12345678E'],
  ['pl-pesel', '44051470007', '440514A0007'],
] as const)('a letter is no digit of %s, though its code has the same remainder', (type, number, lettered) => {
  expect(CHECKS[type](number).valid).toBe(true)
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz']
  const at = lettered.search(/[A-Z]/)
  for (const letter of letters)
    expect(CHECKS[type](number.slice(0, at) + letter + number.slice(at + 1)).valid).toBe(false)
})
