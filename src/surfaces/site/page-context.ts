import type { Skill } from '../../catalog/skill.ts'
import type { Network } from '../../payments/networks/network.ts'
import { termsOf } from '../../payments/terms/rest-offer.ts'
import { type Html, html } from '../../values/html.ts'
import type { ServiceFacts } from '../call/service-facts.ts'

export interface PageContext extends ServiceFacts {
  readonly sandbox: boolean
  readonly chain: Network
  readonly mcpHosts: McpHosts
}

interface McpHosts {
  readonly words: string
  readonly line: string
  readonly links: readonly { readonly host: string; readonly url: string; readonly words: string }[]
  readonly file: string
}

/** Attributes that tell the scripts of a page what to sign: for which network, and at most how much for one value. */
export function paymentAttributes(context: PageContext): Html {
  const { chain, sandbox, skills } = context
  const network = {
    id: chain.id,
    chainId: chain.chainId,
    name: chain.title,
    node: chain.publicNode,
    explorer: sandbox ? null : chain.explorer,
    isRealMoney: chain.isRealMoney,
  }
  const { amount } = termsOf(context, skills.all[0])
  return html`data-sandbox="${String(sandbox)}" data-chain="${JSON.stringify(network)}" data-amount="${amount}"`
}

export const checkPath = ({ id }: Pick<Skill, 'id'>): string => `/checks/${id}`

/** A name short enough for a row of buttons, e.g. "EU VAT". */
export const shortTitle = ({ title }: Pick<Skill, 'title'>): string =>
  title.replace(/ (number |address )?check$/, '').replace(/^Polish /, '')

/** A summary without the name in front of it, as a sentence. */
export function gistOf({ summary }: Pick<Skill, 'summary'>): string {
  const gist = summary.slice(summary.indexOf(': ') + 2)
  return gist.charAt(0).toUpperCase() + gist.slice(1)
}
