/** `GET /api/types`: the free listing (section 2 of the specification). */

import { checkNames } from '../../catalog/check-names.ts'
import { PRICE } from '../../catalog/price.ts'
import type { SkillRegistry } from '../../catalog/skill.ts'
import { MOST_ITEMS } from '../../catalog/validate-list.ts'
import { compressedDocument } from '../../http/body/compressed-document.ts'
import type { SendProblem } from '../../http/body/problem.ts'
import type { Handler } from '../../http/middleware.ts'
import type { Listing } from '../../payments/terms/listing.ts'
import { PATHS } from '../call/paths.ts'
import type { ServiceFacts } from '../call/service-facts.ts'
import { endpointOf, LIST_SUFFIX } from './endpoints.ts'

export interface ListingOptions
  extends Pick<Listing, 'network' | 'networkName' | 'asset' | 'payTo' | 'facilitator'>,
    Pick<ServiceFacts, 'baseUrl' | 'mark'> {
  readonly channels?: boolean
}

const summaryOf = ({ all }: SkillRegistry) =>
  `Checks the format and checksum of identifiers: ${checkNames(all)}. Offline: no register and no DNS is asked.`

const USAGE =
  'POST the JSON body {"value": "..."} (at most 512 characters, no query string) to an endpoint. Without ' +
  'payment the answer is 402 with a PAYMENT-REQUIRED header; sign one of its terms with an x402 version 2 ' +
  'client and repeat the same request with a PAYMENT-SIGNATURE header. An invalid identifier is a result ' +
  '(200, valid: false), not an error. Bad requests are free.'

const PRIVACY =
  'The value is never stored, logged, echoed or sent on. Results mask personal identifiers. Kept are counts, ' +
  'public payment data and, for repeats, keyed hashes and sealed verdicts.'

/** The members of the specification, and `batch`. */
export function listing(skills: SkillRegistry, context: ListingOptions) {
  const { baseUrl, mark } = context
  return {
    service: 'Format Checker',
    summary: mark === null ? summaryOf(skills) : `${mark}, payments are not real. ${summaryOf(skills)}`,
    baseUrl,
    price: PRICE,
    network: context.network,
    networkName: context.networkName,
    asset: context.asset,
    payTo: context.payTo,
    facilitator: context.facilitator,
    protocol: `x402 version 2, scheme exact${context.channels ? `; batch-settlement at ${PATHS.overChannel}{type} and batch` : ''}`,
    usage: USAGE,
    privacy: PRIVACY,
    docs: {
      openapi: `${baseUrl}${PATHS.openapi}`,
      llms: `${baseUrl}${PATHS.llms}`,
      x402: `${baseUrl}${PATHS.x402}`,
      agentCard: `${baseUrl}${PATHS.agentCard}`,
      mcp: `${baseUrl}${PATHS.mcp}`,
      a2a: `${baseUrl}${PATHS.a2a}`,
    },
    types: skills.all.map((skill) => ({
      type: skill.id,
      description: skill.summary,
      price: PRICE,
      method: 'POST',
      endpoint: endpointOf(skill),
    })),
    batch: {
      description:
        'Lists of values under one payment: {"items": [{"type", "value"}, ...]}, or {"values": [...]} of one type.',
      pricePerValue: PRICE,
      maxValues: MOST_ITEMS,
      method: 'POST',
      endpoint: PATHS.mixedList,
      typedEndpoint: `${PATHS.validate}{type}${LIST_SUFFIX}`,
    },
  }
}

export function listingHandler(
  sendProblem: SendProblem,
  skills: SkillRegistry,
  context: ListingOptions,
): Handler {
  return compressedDocument(sendProblem, {
    route: PATHS.types,
    body: JSON.stringify(listing(skills, context)),
    contentType: 'application/json; charset=utf-8',
  })
}
