/** Where and on which terms a skill is sold over REST, for pages and documents. */
import type { PaymentRequirements } from '@x402/core/types'
import type { Skill } from '../../catalog/skill.ts'
import type { Quote, SurfaceName } from '../ports/sale.ts'

export interface Offers {
  readonly baseUrl: string
  readonly quote: (skill: Skill, surface: SurfaceName) => Quote
}

export function restUrl({ quote }: Pick<Offers, 'quote'>, skill: Skill): string {
  const { resource } = quote(skill, 'rest').required('payment_required')
  if (resource === undefined) throw new Error('a quote without a resource')
  return resource.url
}

export const restPath = (offers: Offers, skill: Skill): string =>
  restUrl(offers, skill).slice(offers.baseUrl.length)

export function termsOf({ quote }: Pick<Offers, 'quote'>, skill: Skill): PaymentRequirements {
  const [terms] = quote(skill, 'rest').required('payment_required').accepts
  if (terms === undefined) throw new Error('a quote without terms')
  return terms
}
