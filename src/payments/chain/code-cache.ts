import type { ChainReader, Hex } from './chain-reader.ts'

const REMEMBERED_MS = 60_000
const MOST_ADDRESSES = 10_000

/** A reader that asks at most once a minute whether an address holds code, for the addresses asked about last. */
export function rememberCode(chain: ChainReader, now: () => number): ChainReader {
  const known = new Map<Hex, { readonly hasCode: boolean; readonly until: number }>()
  return {
    ...chain,
    async hasCode(address) {
      const remembered = known.get(address)
      if (remembered !== undefined && remembered.until > now()) return remembered.hasCode
      const hasCode = await chain.hasCode(address)
      known.delete(address)
      known.set(address, { hasCode, until: now() + REMEMBERED_MS })
      if (known.size > MOST_ADDRESSES) known.delete(known.keys().next().value as Hex)
      return hasCode
    },
  }
}
