/** `/.well-known/x402`: every paid URL with its terms, for indexers. */

import { PRICE_USD } from '../../../catalog/price.ts'
import type { Skill } from '../../../catalog/skill.ts'
import { restUrl } from '../../../payments/terms/rest-offer.ts'
import { PATHS } from '../../call/paths.ts'
import { ALL_SCHEMES_KEY } from '../../call/request-options.ts'
import { type BuildDocument, type DocumentContext, jsonDocument } from '../document-context.ts'

export const x402Manifest: BuildDocument = (context) => {
  const { baseUrl, listing, skills, mark, version } = context
  return jsonDocument(PATHS.x402, {
    version: 1,
    x402Version: 2,
    service: listing.service,
    serviceVersion: version,
    description: listing.summary,
    sandbox: mark !== null,
    // Most indexers read version 1 of this format, which has only absolute URLs.
    resources: [...skills.all.map((skill) => restUrl(context, skill)), ...listUrls(context)],
    instructions: listing.usage,
    price: { amount: PRICE_USD, currency: 'USD' },
    network: listing.network,
    asset: listing.asset,
    payTo: listing.payTo,
    facilitator: listing.facilitator,
    terms: [...skills.all.map((skill) => termsOfResource(context, skill)), termsOfList(context)],
    channels: context.channel && {
      terms: context.channel,
      resource: `${baseUrl}${PATHS.overChannel}{type}`,
      refunds: `${baseUrl}${PATHS.channel}`,
      askWith: { metadata: { [ALL_SCHEMES_KEY]: true } },
    },
    alsoSoldAt: { a2a: `${baseUrl}${PATHS.a2a}`, mcp: `${baseUrl}${PATHS.mcp}` },
    openapi: `${baseUrl}${PATHS.openapi}`,
    did: context.receipts.did,
  })
}

function termsOfResource(context: DocumentContext, skill: Skill) {
  const [example] = skill.examples
  return {
    resource: restUrl(context, skill),
    type: 'http',
    method: 'POST',
    mimeType: 'application/json',
    operationId: skill.operationId,
    title: skill.title,
    description: skill.summary,
    accepts: context.quote(skill, 'rest').required('payment_required').accepts,
    input: { schema: skill.inputSchema, example: example.input },
    output: { schema: skill.outputSchema, example: example.output },
  }
}

const listUrls = (context: DocumentContext): readonly string[] => [
  ...context.skills.all.map((skill) => `${restUrl(context, skill)}/batch`),
  `${context.baseUrl}${PATHS.mixedList}`,
]

/** Without `accepts`, since the price depends on the list; the 402 has the terms of the one that was sent. */
function termsOfList(context: DocumentContext) {
  const items = context.skills.all
    .slice(0, 2)
    .map(({ id, examples: [first] }) => ({ type: id, value: first.input.value }))
  return {
    type: 'http',
    method: 'POST',
    mimeType: 'application/json',
    price: { mode: 'dynamic', currency: 'USD', min: PRICE_USD, max: '1.000', perValue: PRICE_USD },
    resource: `${context.baseUrl}${PATHS.mixedList}`,
    operationId: 'validate_batch',
    title: 'A list of several types',
    description: '1 to 1,000 values under one payment, each with its type.',
    input: { example: { items } },
  }
}
