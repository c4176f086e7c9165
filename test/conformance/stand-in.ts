/**
 * The endpoint alone, with a sale that takes every payment unseen: shows what clients make of the protocol where
 * there is no chain.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Skill } from '../../src/catalog/skill.ts'
import { resultJsonOf } from '../../src/payments/ports/result-json.ts'
import type { Sell } from '../../src/payments/ports/sale.ts'
import type { QuoteBook } from '../../src/payments/terms/quotes.ts'
import { createCounter } from '../../src/surfaces/call/counter.ts'
import { skillExecutors } from '../../src/surfaces/call/skill-executor.ts'
import { mcpHandler } from '../../src/surfaces/mcp/mcp-handler.ts'
import { realRegistry } from '../support/registry.ts'
import { RECEIPT, termsOf } from '../surfaces/mcp/terms.ts'
import type { Target } from './target.ts'

const NOBODYS_KEY = `0x${'11'.repeat(32)}` as const

export async function startStandIn(): Promise<Target> {
  const server = createServer((req, res) => endpoint.handle(req, res))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const baseUrl = `http://127.0.0.1:${port}`
  const registry = realRegistry()
  const quote: QuoteBook = {
    single: (skill) => termsOf(baseUrl, skill),
    of: async ({ type, items }) => termsOf(baseUrl, (registry.get(type) ?? registry.all[0]) as Skill, items),
  }
  const log = { error: (...line: unknown[]) => console.error(...line) }
  const counter = createCounter({
    sell: sellOnce((skill) => termsOf(baseUrl, skill)),
    log,
    limiter: {
      track: (_req, _res, next) => next(),
      blocked: () => undefined,
      hit: () => {},
      takeBack: () => {},
      giveBack: () => {},
      clientOf: () => '',
      close: () => {},
    },
  })
  const endpoint = mcpHandler({
    ...{ registry, quote, counter },
    executors: skillExecutors({ registry, quote, counter }),
    baseUrl,
    version: '1.2.0',
    texts: { priceList: '{}', docs: '# Docs' },
    log,
    allowedHosts: ['127.0.0.1', 'localhost'],
    loopback: true,
  })
  return {
    origin: baseUrl,
    url: `${baseUrl}/mcp`,
    privateKey: NOBODYS_KEY,
    async stop() {
      await endpoint.close()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Sells for whatever looks like a payment, but one payment buys one call. */
function sellOnce(quote: (skill: Skill) => ReturnType<typeof termsOf>): Sell {
  const boughtBy = new Map<string, string>()
  return async (call, rawPayment) => {
    if (call.kind !== 'value') throw new Error('this surface has no sealed calls')
    const { skill, value } = call.items[0]
    const nonce = nonceIn(rawPayment)
    if (nonce === undefined) return { kind: 'unpaid', code: 'payment_required', quote: quote(skill) }
    const bought = JSON.stringify([skill.id, value])
    const before = boughtBy.get(nonce)
    if (before !== undefined && before !== bought)
      return { kind: 'declined', code: 'payment_already_used', final: true }
    boughtBy.set(nonce, bought)
    const verdict = skill.check(value)
    return {
      kind: 'sold',
      verdicts: [verdict],
      json: resultJsonOf('single', () => [verdict]),
      settlement: RECEIPT,
      replayed: before !== undefined,
      rulesetChanged: false,
      delivered: () => {},
    }
  }
}

function nonceIn(rawPayment: Parameters<Sell>[1]): string | undefined {
  if (rawPayment.kind !== 'object' && rawPayment.kind !== 'text') return undefined
  const text =
    rawPayment.kind === 'text'
      ? Buffer.from(rawPayment.text, 'base64').toString()
      : JSON.stringify(rawPayment.payload)
  return /"nonce":"(0x[0-9a-f]{64})"/i.exec(text)?.[1]
}
