import type { NetworkWords } from '../../../../src/lists/statement/page.ts'
import { NETWORKS, titleOf } from '../../../../src/payments/networks/networks.ts'
import { isLoopback } from '../../../../src/values/loopback.ts'

/** Whether a key is that of a service of this machine (did:web of a loopback host), as every sandbox is. */
function isLocal(kid: string): boolean {
  const [, host = ''] = /^did:web:(%5B%3A%3A1%5D|[^#:%]+)/.exec(kid) ?? []
  return isLoopback(host) || host === '%5B%3A%3A1%5D'
}

/** The network of a payment in words; the chain of a sandbox has the id of a public one. */
export function networkTitle(id: string, kid: string): string {
  const title = NETWORKS.some((each) => each.id === id) ? `${titleOf(id)} (${id})` : id
  return isLocal(kid) ? `sandbox on this machine, whose chain is called ${title}; no real money` : title
}

/** For the printed page; a link to a public chain would show another transaction than that of a sandbox. */
export function networkInWords(id: string, kid: string): NetworkWords {
  const explorer = NETWORKS.find((each) => each.id === id)?.explorer
  const isSandbox = isLocal(kid)
  return { title: networkTitle(id, kid), explorer: isSandbox ? null : (explorer ?? null), isSandbox }
}
