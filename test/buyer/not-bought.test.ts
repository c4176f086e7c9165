import { expect, test } from 'vitest'
import { isNeverCharged } from '../../src/buyer/not-bought.ts'
import { ERRORS } from '../../src/errors.ts'
import { PROMISES } from '../../src/payments/ports/promises.ts'

test('exactly the codes that promise it are taken to mean that nothing is charged', () => {
  const codes = [...Object.keys(ERRORS), ...Object.keys(PROMISES), 'unknown', 'no_answer', '']
  const promised = Object.entries(PROMISES).filter(([, promise]) => promise === 'never')
  expect(new Set(codes.filter(isNeverCharged))).toEqual(new Set(promised.map(([code]) => code)))
})
