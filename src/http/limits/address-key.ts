/** Under which key a client's address is counted. */
import { isIPv6 } from 'node:net'

/** Bits of an IPv6 address that stand for one customer: the longest prefix providers give one (RFC 6177). */
const GROUPS = 3
const HALF_GROUP = 2

/**
 * An IPv4 address is its own key, also where it is written as IPv6 (RFC 4291, 2.5.5.2); IPv6 addresses share the key
 * of their /56, since a customer can send from any address below it.
 */
export function addressKey(address: string): string {
  if (!isIPv6(address)) return address
  const bare = address.replace(/%.*$/, '').toLowerCase()
  const mapped = /^(?:0{0,4}:)*:?ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(bare)?.[1]
  if (mapped !== undefined) return mapped
  const groups = groupsOf(bare)
  const half = (groups[GROUPS] ?? '0').padStart(4, '0').slice(0, HALF_GROUP)
  return `${groups.slice(0, GROUPS).join(':')}:${half}::/56`
}

/** The eight groups without leading zeros; the two of an embedded IPv4 address are never looked at. */
function groupsOf(address: string): readonly string[] {
  const [head = '', tail] = address.split('::')
  const [left, right] = [head, tail ?? ''].map((part) => (part === '' ? [] : part.split(':')))
  const missing = tail === undefined ? 0 : Math.max(0, 8 - (left?.length ?? 0) - (right?.length ?? 0))
  return [...(left ?? []), ...Array<string>(missing).fill('0'), ...(right ?? [])].map((group) =>
    group.replace(/^0+(?=.)/, ''),
  )
}
