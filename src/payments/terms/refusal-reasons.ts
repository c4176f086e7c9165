/** What a refusal says beyond its code: sentences about the terms, which hold nothing of what the client sent. */
import type { Quote } from '../ports/sale.ts'
import { quoteOf } from './quote-for.ts'
import type { Terms } from './terms.ts'

/** `member`: a path of the payment, such as "accepted.extra.name". */
export const differs = (member: string): string => `The member "${member}" differs from the offered terms.`

export function expectedDomain({
  domain: { name, version, chainId },
  requirements: { asset },
}: Pick<Terms, 'domain' | 'requirements'>): string {
  const domain = `name "${name}", version "${version}", chainId ${chainId}, verifyingContract ${asset}`
  return `It must be signed under the EIP-712 domain ${domain}.`
}

/** The same terms, with the reason behind the text of the code. */
export function withReason(quote: Quote, reason: string): Quote {
  const { ofAllSchemes } = quote
  const reasoned = quoteOf((code) => {
    const { error = '', ...terms } = quote.required(code)
    return { ...terms, error: `${error} ${reason}` }
  })
  return {
    ...reasoned,
    ...(ofAllSchemes && { ofAllSchemes: withReason(ofAllSchemes, reason) }),
  }
}
