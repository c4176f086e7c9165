import { expect, it } from 'vitest'
import { ALL_SCHEMES_KEY, asksForAllSchemes } from '../../../src/surfaces/call/request-options.ts'

it('a message asks for channels by a member of its metadata', () => {
  expect(asksForAllSchemes({ [ALL_SCHEMES_KEY]: true })).toBe(true)
  for (const metadata of [undefined, {}, { [ALL_SCHEMES_KEY]: 'true' }, { [ALL_SCHEMES_KEY]: 1 }])
    expect(asksForAllSchemes(metadata)).toBe(false)
})
