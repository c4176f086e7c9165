import type { Network } from '../../payments/networks/network.ts'
import type { Quote, SurfaceName } from '../../payments/ports/sale.ts'
import type { Listing } from '../../payments/terms/listing.ts'
import type { Skill, SkillRegistry } from '../../skills/skill.ts'

/** What the pages are made from; constant from start to stop. */
export interface PageContext {
  /** Public address without a trailing slash. */
  readonly baseUrl: string
  readonly version: string
  /** True if everything lives on one machine. */
  readonly sandbox: boolean
  readonly chain: Network
  /** How everything is marked where the money is not real; null where it is. */
  readonly mark: string | null
  readonly skills: SkillRegistry
  readonly quote: (skill: Skill, surface: SurfaceName) => Quote
  readonly listing: Listing
  /** Where the operator's terms, support and mail are; null where no setting names them. */
  readonly termsUrl: string | null
  readonly supportUrl: string | null
  readonly contactEmail: string | null
  readonly mcpHosts: SiteMcpHosts
}

export interface SiteMcpHosts {
  readonly words: string
  readonly line: string
  readonly links: readonly { readonly host: string; readonly url: string; readonly words: string }[]
  readonly file: string
}

/** The attribute that tells the scripts of a page which network to sign for. */
export const chainOf = ({ chain, sandbox }: PageContext): string =>
  JSON.stringify({
    id: chain.id,
    chainId: chain.chainId,
    name: chain.title,
    node: chain.publicNode,
    explorer: sandbox ? null : chain.explorer,
    isRealMoney: chain.isRealMoney,
  })

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
