import { expect, test } from 'vitest'
import { leaks } from '../../../test/support/echo.ts'

test('the echo rule finds the raw, the compact and the numeric form', () => {
  expect(leaks('iban', 'de89 3704', '"DE893704"')).toEqual(['DE893704', '893704'])
  expect(leaks('pl-nip', '526-025-02-74', '5260250274')).toEqual(['5260250274'])
  expect(leaks('pl-nip', '526-025-02-74', '"526-025-02-74"')).toEqual(['526-025-02-74'])
  expect(leaks('pl-nip', '526-02', '52602')).toEqual([])
})

test('the echo rule finds an address and its local part, not its domain', () => {
  expect(leaks('email', 'anna@b.co', '{"to":"anna@b.co"}')).toEqual(['anna@b.co', 'anna'])
  expect(leaks('email', 'b.co@b.co', '{"domain":"b.co"}')).toEqual([])
  expect(leaks('email', '"an"@b.co', '{"x":"\\"an\\"@b.co"}')).toEqual(['"an"@b.co', '"an"'])
})
