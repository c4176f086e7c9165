import ipaddr from 'ipaddr.js'

/** Providers give a customer a /56 at most (RFC 6177). */
const CUSTOMER_BYTES = 7

/**
 * An IPv4 address, also if it is mapped to IPv6 (RFC 4291, 2.5.5.2), or the /56 of an IPv6 address. Any other text is its
 * own key.
 */
export function addressKey(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv4') return parsed.toString()
  const bytes = parsed.toByteArray().map((byte, index) => (index < CUSTOMER_BYTES ? byte : 0))
  return `${ipaddr.fromByteArray(bytes).toString()}/56`
}
