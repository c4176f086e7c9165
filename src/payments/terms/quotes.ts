import type { x402ResourceServer } from '@x402/core/server'
import type { PaymentRequired, PaymentRequirements } from '@x402/core/types'
import { formatUnits } from 'viem/utils'
import { boundedCache } from '../../caches/bounded-cache.ts'
import type { Skill, SkillRegistry } from '../../catalog/skill.ts'
import { detailOn, ERRORS, type UnpaidCode } from '../../errors.ts'
import { mapAll, type NonEmpty } from '../../values/non-empty.ts'
import { titleOf } from '../networks/networks.ts'
import { USDC_DECIMALS } from '../networks/usdc.ts'
import {
  type ListedSurface,
  type Purchase,
  type Quote,
  SURFACE_NAMES,
  type SurfaceName,
} from '../ports/sale.ts'
import { SignerUnavailable } from '../ports/signer.ts'
import { quoteOfChannel } from './channel-quote.ts'
import { quoteOf } from './quote-for.ts'
import { resourceOf } from './quoted-resource.ts'
import type { Terms } from './terms.ts'

/** The extensions of a quote, by whether the call came without a payment or with one that was refused. */
export interface DeclaredExtensions {
  readonly unpaid: Record<string, unknown>
  readonly refused: Record<string, unknown>
}

export type DeclareExtensions = (quoted: Purchase, surface: ListedSurface) => Promise<DeclaredExtensions>

export interface QuoteBook {
  single(skill: Skill, surface: SurfaceName): Quote
  of(quoted: Purchase, surface: SurfaceName): Promise<Quote>
}

/** Quotes that must be renewed, because the offers signed in them expire. */
export interface RenewableQuotes {
  readonly quotes: QuoteBook
  /** Prepares new quotes of all calls; until they are ready, and if that fails, the former ones are given. */
  renew(): Promise<void>
}

export const acceptsFor = (
  terms: NonEmpty<Pick<Terms, 'requirements' | 'amount'>>,
  { items }: Pick<Purchase, 'items'>,
): NonEmpty<PaymentRequirements> =>
  mapAll(terms, ({ requirements, amount }) => ({
    ...requirements,
    amount: (amount * BigInt(items)).toString(),
  }))

const MOST_LIST_QUOTES = 500

export interface QuoteOptions {
  readonly server: x402ResourceServer
  readonly terms: NonEmpty<Terms>
  readonly registry: SkillRegistry
  readonly baseUrl: string
  readonly declareExtensions?: DeclareExtensions
  readonly channelOffer?: (items: number) => PaymentRequirements
}

/** Prepares the quotes of single calls; one of a list is made when asked for, without extensions if the signer is away. */
export async function buildQuotes(options: QuoteOptions): Promise<RenewableQuotes> {
  let singles = await quoteSkills(options)
  const { declareExtensions: _, ...unsigned } = options
  const lists = boundedCache<Promise<Quote>>(MOST_LIST_QUOTES)

  const single = (type: string, surface: SurfaceName): Quote => {
    const quote = singles.get(`${surface}/${type}`)
    if (quote === undefined) throw new Error('no quote for a skill of the registry')
    return quote
  }
  const list = (quoted: Purchase, surface: SurfaceName): Promise<Quote> => {
    const name = `${surface}/${quoted.type}/${quoted.items}`
    const known = lists.get(name)
    if (known !== undefined) return known
    const quote = quoteOfList(options, quoted, surface).catch((error: unknown) => {
      lists.delete(name)
      if (error instanceof SignerUnavailable) return quoteOfList(unsigned, quoted, surface)
      throw error
    })
    lists.set(name, quote)
    return quote
  }
  return {
    quotes: {
      single: (skill, surface) => single(skill.id, surface),
      of: async (quoted, surface) =>
        quoted.shape === 'single' ? single(quoted.type, surface) : list(quoted, surface),
    },
    async renew() {
      singles = await quoteSkills(options)
      lists.clear()
    },
  }
}

async function quoteSkills(options: QuoteOptions): Promise<ReadonlyMap<string, Quote>> {
  const quotes = new Map<string, Quote>()
  for (const { id, summary } of options.registry.all)
    for (const surface of SURFACE_NAMES) {
      if (surface === 'channel' && options.channelOffer === undefined) continue
      const quote = await buildQuote(options, { shape: 'single', type: id, items: 1 }, surface, summary)
      quotes.set(`${surface}/${id}`, quote)
    }
  return quotes
}

const quoteOfList = (options: QuoteOptions, quoted: Purchase, surface: SurfaceName): Promise<Quote> => {
  const skill = options.registry.get(quoted.type)
  const description = `Many values under one payment. ${skill?.summary ?? 'Each value with its own check.'}`
  return buildQuote(options, quoted, surface, description)
}

/**
 * Single payments only, because some clients refuse terms with an unknown scheme. `ofAllSchemes` adds channels at the
 * end, because clients that know both take the first. It is the quote of a refused call: the client knows how to call,
 * and the header needs the room.
 */
async function buildQuote(
  options: QuoteOptions,
  quoted: Purchase,
  surface: SurfaceName,
  description: string,
): Promise<Quote> {
  const resource = resourceOf(options.baseUrl, quoted, surface, description)
  if (surface === 'channel') return quoteOfChannel(resource, quoted, options.channelOffer)
  const singles = acceptsFor(options.terms, quoted)
  const declared = await options.declareExtensions?.(quoted, surface)
  const requiredFor = (kind: keyof DeclaredExtensions, code: UnpaidCode): Promise<PaymentRequired> =>
    options.server.createPaymentRequiredResponse(
      [...singles],
      resource,
      reasonOf(code, surface, singles[0]),
      // The core writes into them.
      structuredClone(declared?.[kind]),
      { request: { adapter: { getUrl: () => resource.url } } },
    )
  const unpaid = await requiredFor('unpaid', 'payment_required')
  const refused = await requiredFor('refused', 'payment_refused')
  const refusedFor = (code: UnpaidCode) => ({ ...refused, error: reasonOf(code, surface, singles[0]) })
  const quote = quoteOf((code) => (code === 'payment_required' ? unpaid : refusedFor(code)))
  if (options.channelOffer === undefined || surface === 'rest') return quote
  const accepts = [...refused.accepts, options.channelOffer(quoted.items)]
  return { ...quote, ofAllSchemes: quoteOf((code) => ({ ...refusedFor(code), accepts })) }
}

/**
 * A model without a wallet often reads the `error` of an MCP call, so there it is a sentence; in a header the title is
 * enough.
 */
function reasonOf(
  code: UnpaidCode,
  surface: ListedSurface,
  { amount, network }: PaymentRequirements,
): string {
  if (code !== 'payment_required') return `${code}: ${detailOn(code, surface)}`
  if (surface !== 'mcp') return ERRORS[code].title
  return `This call costs $${formatUnits(BigInt(amount), USDC_DECIMALS)} in USDC on ${titleOf(network)}. ${detailOn(code, surface)}`
}
