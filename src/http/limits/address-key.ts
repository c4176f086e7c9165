import ipaddr from 'ipaddr.js'

/** Providers give a customer a /56 at most (RFC 6177). */
const CUSTOMER_BYTES = 7

/**
 * Returns the key a client address is counted under: an IPv4 address, also if it is mapped to IPv6 (RFC 4291, 2.5.5.2), or
 * the /56 of an IPv6 address, from any address of which one customer can send. Any other text is its own key.
 */
export function addressKey(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv4') return parsed.toString()
  const bytes = parsed.toByteArray().map((byte, index) => (index < CUSTOMER_BYTES ? byte : 0))
  return `${ipaddr.fromByteArray(bytes).toString()}/56`
}
