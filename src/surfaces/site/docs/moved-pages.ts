/** Addresses that pages had before, below `/docs/`, and where what they said is now; of evidence, its name alone. */
export const MOVED_PAGES: Readonly<Record<string, string>> = {
  sandbox: 'try-it',
  payments: 'how-it-works',
  architecture: 'how-it-works#layers',
  gdpr: 'privacy#gdpr',
  discovery: 'going-live#how-buyers-find-the-service',
  pricing: 'wallet#what-is-charged',
  support: 'terms#before-you-write',
  pipelines: 'lists#in-pipelines',
  versioning: 'limits#versions',
  settlement: 'operations#settling-yourself',
}
