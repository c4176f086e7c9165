import { expect, test } from 'vitest'
import { clientAddress } from '../../../src/http/limits/client-address.ts'
import { requestFrom } from '../http-harness.ts'

test.each([
  ['without trusted proxies the header is not read', 0, '203.0.113.9', '10.0.0.1'],
  ['one proxy: the last entry', 1, '203.0.113.9', '203.0.113.9'],
  ['one proxy: what the client wrote before it is ignored', 1, '198.51.100.1, 203.0.113.9', '203.0.113.9'],
  ['two proxies: the last but one', 2, 'evil, 203.0.113.9, 10.0.0.2', '203.0.113.9'],
  ['two proxies, one entry: that one', 2, '203.0.113.9', '203.0.113.9'],
  ['an entry that is no address: the peer', 1, 'unknown', '10.0.0.1'],
  ['no header: the peer', 1, undefined, '10.0.0.1'],
  ['an IPv6 entry', 1, '2001:db8::1', '2001:db8::1'],
  ['an entry with a port', 1, '203.0.113.9:51234', '203.0.113.9'],
  ['an IPv6 entry with a port', 1, '[2001:db8::1]:51234', '2001:db8::1'],
  ['an IPv6 entry in brackets', 1, '[2001:db8::1]', '2001:db8::1'],
])('%s', (_what, trusted, header, address) => {
  expect(clientAddress(requestFrom('10.0.0.1', header), trusted)).toBe(address)
})
