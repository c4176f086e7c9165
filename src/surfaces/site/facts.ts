import type { Quote, SurfaceName } from '../../payments/sale.ts'
import type { Skill, SkillRegistry } from '../../skills/skill.ts'

/** What the pages are made from; known at boot and the same until the next. */
export interface SiteFacts {
  /** Public address without a trailing slash. */
  readonly baseUrl: string
  readonly version: string
  /** True where the money is not real. */
  readonly sandbox: boolean
  readonly skills: SkillRegistry
  readonly quote: (skill: Skill, surface: SurfaceName) => Quote
  readonly listing: SiteListing
}

/** The words of the free listing that the pages repeat. */
export interface SiteListing {
  readonly service: string
  readonly price: string
  readonly network: string
  readonly networkName: string
  readonly asset: string
  readonly payTo: string
  readonly usage: string
  readonly privacy: string
}

/** The URL at which a skill is sold over REST. */
export function restUrl({ quote }: SiteFacts, skill: Skill): string {
  const { resource } = quote(skill, 'rest').required('payment_required')
  if (resource === undefined) throw new Error('a quote without a resource')
  return resource.url
}

/** Its path, for requests of our own pages. */
export const restPath = (facts: SiteFacts, skill: Skill): string =>
  restUrl(facts, skill).slice(facts.baseUrl.length)

/** Atomic units of one call, the same for every skill. */
export function amountOf({ quote }: SiteFacts, skill: Skill): string {
  const [terms] = quote(skill, 'rest').required('payment_required').accepts
  if (terms === undefined) throw new Error('a quote without terms')
  return terms.amount
}

/** Path of a check's own page. */
export const checkPath = ({ id }: Pick<Skill, 'id'>): string => `/checks/${id}`

/** A name short enough for a row of buttons, e.g. "EU VAT". */
export const shortTitle = ({ title }: Pick<Skill, 'title'>): string =>
  title.replace(/ (number |address )?check$/, '').replace(/^Polish /, '')

/** What stands behind the name in a summary, as a sentence of its own. */
export function gistOf({ summary }: Pick<Skill, 'summary'>): string {
  const gist = summary.slice(summary.indexOf(': ') + 2)
  return gist.charAt(0).toUpperCase() + gist.slice(1)
}
