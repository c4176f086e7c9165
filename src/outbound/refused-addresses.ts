import { BlockList, isIP } from 'node:net'

/** Link-local addresses, where clouds serve the credentials of a machine, and the few such services elsewhere. */
export function createRefusedAddresses(): (address: string) => boolean {
  const refused = new BlockList()
  refused.addSubnet('169.254.0.0', 16, 'ipv4')
  refused.addAddress('100.100.100.200', 'ipv4')
  refused.addAddress('192.0.0.192', 'ipv4')
  refused.addSubnet('fe80::', 10, 'ipv6')
  refused.addAddress('fd00:ec2::254', 'ipv6')
  refused.addAddress('fd20:ce::254', 'ipv6')
  // The same through a translator (RFC 6052).
  refused.addSubnet('64:ff9b::a9fe:0', 112, 'ipv6')
  return (address) => {
    const family = isIP(address)
    return family !== 0 && refused.check(address, family === 6 ? 'ipv6' : 'ipv4')
  }
}
