import { describe, expect, test } from 'vitest'
import { addressKey } from '../../../src/http/limits/address-key.ts'

describe('the key an address is counted under', () => {
  test.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['::FFFF:192.0.2.7', '192.0.2.7'],
    ['0:0:0:0:0:ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2300::1', '2001:db8:1:2300::/56'],
    ['2001:db8:1:23ff:ffff:ffff:ffff:ffff', '2001:db8:1:2300::/56'],
    ['2001:0db8:0001:2300:0000:0000:0000:0001', '2001:db8:1:2300::/56'],
    ['2001:DB8:1:2300::', '2001:db8:1:2300::/56'],
    ['2001:db8:1:2400::1', '2001:db8:1:2400::/56'],
    ['2001:db8::1', '2001:db8::/56'],
    ['2001:db8:1:23::1', '2001:db8:1::/56'],
    ['fe80::1%eth0', 'fe80::/56'],
    ['::1', '::/56'],
    ['64:ff9b::192.0.2.7', '64:ff9b::/56'],
    ['', ''],
    ['no address', 'no address'],
  ])('%s: %s', (address, key) => {
    expect(addressKey(address)).toBe(key)
  })
})
