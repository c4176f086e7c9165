/** `/.well-known/x402`: every paid URL with its terms, for indexers that look there first. */
import { PRICE_USD } from '../../skills/price.ts'
import type { Skill } from '../../skills/skill.ts'
import {
  type BuildDocument,
  type DocumentContext,
  jsonDocument,
  restUrl,
  termsOf,
} from './document-context.ts'

export const x402Manifest: BuildDocument = (facts) => {
  const { baseUrl, listing, skills, sandbox, version } = facts
  return jsonDocument('/.well-known/x402', {
    version: 1,
    x402Version: 2,
    service: listing.service,
    serviceVersion: version,
    description: listing.summary,
    sandbox,
    // What the version of this format that most indexers read consists of: absolute URLs, nothing else.
    resources: skills.all.map((skill) => restUrl(facts, skill)),
    instructions: listing.usage,
    price: { amount: PRICE_USD, currency: 'USD' },
    network: listing.network,
    asset: listing.asset,
    payTo: listing.payTo,
    facilitator: listing.facilitator,
    terms: skills.all.map((skill) => termsOfResource(facts, skill)),
    alsoSoldAt: { a2a: `${baseUrl}/a2a`, mcp: `${baseUrl}/mcp` },
    openapi: `${baseUrl}/openapi.json`,
    did: facts.receipts.did,
  })
}

function termsOfResource(facts: DocumentContext, skill: Skill) {
  const [example] = skill.examples
  return {
    resource: restUrl(facts, skill),
    type: 'http',
    method: 'POST',
    mimeType: 'application/json',
    operationId: skill.operationId,
    title: skill.title,
    description: skill.summary,
    accepts: [termsOf(facts, skill)],
    input: { schema: skill.inputSchema, example: example?.input },
    output: { schema: skill.outputSchema, example: example?.output },
  }
}
