import ipaddr from 'ipaddr.js'

/** Bytes of an IPv6 address that stand for one customer: providers give at most a /56 (RFC 6177). */
const CUSTOMER_BYTES = 7

/**
 * Returns the key a client address is counted under. An IPv4 address is its own key, also as an IPv4-mapped IPv6
 * address (RFC 4291, 2.5.5.2). IPv6 addresses share the key of their /56, because one customer can send from any
 * address below it. A text that is no address is its own key.
 */
export function addressKey(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv4') return parsed.toString()
  const bytes = parsed.toByteArray().map((byte, index) => (index < CUSTOMER_BYTES ? byte : 0))
  return `${ipaddr.fromByteArray(bytes).toString()}/56`
}
