import { encodePaymentRequiredHeader } from '@x402/core/http'
import type { x402ResourceServer } from '@x402/core/server'
import type { PaymentRequired } from '@x402/core/types'
import type { CheckType } from '../../checks/verdict.ts'
import { ERRORS } from '../../errors.ts'
import type { Skill, SkillRegistry } from '../../skills/skill.ts'
import type { Quote, SurfaceName, UnpaidCode } from '../sale.ts'
import type { Terms } from './terms.ts'

export const UNPAID_CODES = [
  'payment_required',
  'payment_malformed',
  'payment_version_unsupported',
  'payment_terms_mismatch',
  'payment_expired',
  'payment_not_yet_valid',
  'payment_valid_too_long',
  'payment_invalid_signature',
  'payment_insufficient_funds',
  'payment_refused',
] as const satisfies readonly UnpaidCode[]

const SURFACES = ['rest', 'a2a', 'mcp'] as const satisfies readonly SurfaceName[]

/** Extensions declared with a quote; asked for once per skill, surface and outcome whenever quotes are computed. */
export type DeclareExtensions = (
  skill: Skill,
  surface: SurfaceName,
  code: UnpaidCode,
) => Record<string, unknown>

export type QuoteBook = (skill: Skill, surface: SurfaceName) => Quote

/** The public URL a sale is made at, from the public base URL alone. */
export function resourceUrl(baseUrl: string, type: CheckType, surface: SurfaceName): string {
  return surface === 'rest' ? `${baseUrl}/api/validate/${type}` : `${baseUrl}/${surface}`
}

/** What catalogues show beside the name of the service (x402 2.27, resource metadata): at most five. */
const TAGS = ['validation', 'checksum', 'offline']

/** What is sold, as every quote names it. An icon has to be https, so the sandbox shows none. */
function resourceOf(baseUrl: string, skill: Skill, surface: SurfaceName) {
  return {
    url: resourceUrl(baseUrl, skill.id, surface),
    description: skill.summary,
    mimeType: 'application/json',
    serviceName: 'Format Checker',
    tags: [skill.id, ...TAGS],
    ...(baseUrl.startsWith('https:') ? { iconUrl: `${baseUrl}/icon.svg` } : {}),
  }
}

/** Computes every quote the service will ever give, with its header, at boot. */
export async function buildQuotes(options: {
  readonly server: x402ResourceServer
  readonly terms: Terms
  readonly registry: SkillRegistry
  readonly baseUrl: string
  readonly declareExtensions?: DeclareExtensions
}): Promise<QuoteBook> {
  const book = new Map<string, Quote>()
  for (const skill of options.registry.all) {
    for (const surface of SURFACES)
      book.set(`${surface}/${skill.id}`, await buildQuote(options, skill, surface))
  }
  return (skill, surface) => {
    const quote = book.get(`${surface}/${skill.id}`)
    if (quote === undefined) throw new Error('no quote for a skill of the registry')
    return quote
  }
}

async function buildQuote(
  { server, terms, baseUrl, declareExtensions }: Parameters<typeof buildQuotes>[0],
  skill: Skill,
  surface: SurfaceName,
): Promise<Quote> {
  const resource = resourceOf(baseUrl, skill, surface)
  const offers = new Map<UnpaidCode, { required: PaymentRequired; header: string }>()
  for (const code of UNPAID_CODES) {
    const required = await server.createPaymentRequiredResponse(
      [terms.requirements],
      resource,
      code === 'payment_required' ? ERRORS[code].title : `${code}: ${ERRORS[code].detail}`,
      // The core writes into the declarations, so each quote gets a copy of its own.
      structuredClone(declareExtensions?.(skill, surface, code)),
      { request: { adapter: { getUrl: () => resource.url } } },
    )
    offers.set(code, { required: deepFreeze(required), header: encodePaymentRequiredHeader(required) })
  }
  const offer = (code: UnpaidCode) => offers.get(code) as { required: PaymentRequired; header: string }
  return { required: (code) => offer(code).required, header: (code) => offer(code).header }
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const member of Object.values(value)) deepFreeze(member)
  }
  return value
}
