/** Addresses that pages had before, below `/docs/`, and where what they said is now. */
export const MOVED_PAGES: Readonly<Record<string, string>> = {
  'clients-tested': 'evidence/clients-tested',
  dependencies: 'evidence/dependencies',
  faults: 'evidence/faults',
  'faults-channels': 'evidence/faults-channels',
  'peer-differences': 'evidence/peer-differences',
  profiles: 'evidence/profiles',
  proof: 'evidence/proof',
  release: 'evidence/release',
  scale: 'evidence/scale',
  stock: 'evidence/stock',
}
