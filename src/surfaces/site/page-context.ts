import type { Quote, SurfaceName } from '../../payments/sale.ts'
import type { Skill, SkillRegistry } from '../../skills/skill.ts'

/** What the pages are made from; constant from start to stop. */
export interface PageContext {
  /** Public address without a trailing slash. */
  readonly baseUrl: string
  readonly version: string
  /** True if the money is not real. */
  readonly sandbox: boolean
  readonly skills: SkillRegistry
  readonly quote: (skill: Skill, surface: SurfaceName) => Quote
  readonly listing: SiteListing
  /** Where the operator's terms, support and mail are; null where no setting names them. */
  readonly termsUrl: string | null
  readonly supportUrl: string | null
  readonly contactEmail: string | null
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
export function restUrl({ quote }: PageContext, skill: Skill): string {
  const { resource } = quote(skill, 'rest').required('payment_required')
  if (resource === undefined) throw new Error('a quote without a resource')
  return resource.url
}

/** Its path, for requests of our own pages. */
export const restPath = (context: PageContext, skill: Skill): string =>
  restUrl(context, skill).slice(context.baseUrl.length)

/** The path at which lists of its type are sold. */
export const listPath = (context: PageContext, skill: Skill): string => `${restPath(context, skill)}/batch`

/** Atomic units of one call, the same for every skill. */
export function amountOf({ quote }: PageContext, skill: Skill): string {
  const [terms] = quote(skill, 'rest').required('payment_required').accepts
  if (terms === undefined) throw new Error('a quote without terms')
  return terms.amount
}

/** Path of a check's own page. */
export const checkPath = ({ id }: Pick<Skill, 'id'>): string => `/checks/${id}`

/** A name short enough for a row of buttons, e.g. "EU VAT". */
export const shortTitle = ({ title }: Pick<Skill, 'title'>): string =>
  title.replace(/ (number |address )?check$/, '').replace(/^Polish /, '')

/** A summary without the name in front of it, as a sentence. */
export function gistOf({ summary }: Pick<Skill, 'summary'>): string {
  const gist = summary.slice(summary.indexOf(': ') + 2)
  return gist.charAt(0).toUpperCase() + gist.slice(1)
}
