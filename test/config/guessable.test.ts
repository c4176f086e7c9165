import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { isGuessable } from '../../src/config/validators.ts'

test.each([
  'aaaaaaaaaaaaaaaaaaaaaaaa',
  'abababababababababababab',
  '0123456789abcdef',
  'abcdefghijklmnopqrstuvwxyz',
  'my-secret-password-2026',
  'ChangeMeChangeMe1234',
  'your-admin-token-goes-here',
])('%s is guessable', (token) => expect(isGuessable(token)).toBe(true))

test('random bytes in hexadecimal, base64 and base64url are not', () => {
  for (let round = 0; round < 1_000; round += 1) {
    const bytes = randomBytes(32)
    for (const encoding of ['hex', 'base64', 'base64url'] as const)
      expect(isGuessable(bytes.toString(encoding))).toBe(false)
  }
})
