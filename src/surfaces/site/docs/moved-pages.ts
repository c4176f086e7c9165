/** Addresses that pages had before, below `/docs/`, and where what they said is now. */
export const MOVED_PAGES: Readonly<Record<string, string>> = {
  sandbox: 'try-it',
  pricing: 'wallet#what-is-charged',
  support: 'terms#before-you-write',
  pipelines: 'lists#in-pipelines',
  versioning: 'limits#versions',
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
