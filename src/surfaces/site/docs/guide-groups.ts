import { type Guide, isEvidence } from './guide.ts'

export interface GuideGroup {
  readonly title: string
  readonly guides: readonly Guide[]
}

const GROUPS: readonly (readonly [string, string])[] = [
  ['Start', 'try-it wallet clients lists'],
  ['Build', 'a2a paying-by-hand channels cli errors limits'],
  [
    'Trust',
    'correctness known-offline privacy security contract unknowns reporting receipts changelog terms',
  ],
  ['Run it yourself', 'going-live operations runbook configuration how-it-works'],
]
/** Guides without a group are offered last, so that a new one is never lost. */
const REST = 'How it is built'

/** Every guide but the evidence once, in reading order; empty groups are left out. */
export function groupGuides(guides: readonly Guide[]): readonly GuideGroup[] {
  const sorted = new Set(GROUPS.flatMap(([, names]) => names.split(' ')))
  const byName = new Map(guides.map((guide) => [guide.name, guide]))
  const groups = GROUPS.map(([title, names]) => ({
    title,
    guides: names.split(' ').flatMap((name) => byName.get(name) ?? []),
  }))
  const rest = guides.filter((guide) => !sorted.has(guide.name) && !isEvidence(guide))
  return [...groups, { title: REST, guides: rest }].filter(({ guides }) => guides.length > 0)
}
