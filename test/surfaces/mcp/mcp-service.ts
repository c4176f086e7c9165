/** The handler on a real socket, with a sale that follows a script. */
import { createServer, type IncomingHttpHeaders, request } from 'node:http'
import { expect, onTestFinished } from 'vitest'
import type { Skill, SkillRegistry } from '../../../src/catalog/skill.ts'
import { type AccessLogFields, accessLogFields } from '../../../src/http/access-log-fields.ts'
import type { UnpaidLimiter } from '../../../src/http/limits/unpaid-limiter.ts'
import { resultJsonOf } from '../../../src/payments/ports/result-json.ts'
import type { Call, Item, Quote, RawPayment, Sale, Sell } from '../../../src/payments/ports/sale.ts'
import type { QuoteBook } from '../../../src/payments/terms/quotes.ts'
import { createCounter } from '../../../src/surfaces/call/counter.ts'
import { skillExecutors } from '../../../src/surfaces/call/skill-executor.ts'
import { mcpHandler } from '../../../src/surfaces/mcp/mcp-handler.ts'
import { listenOnLoopback } from '../../support/loopback.ts'
import { madeUpSkills } from './made-up-skills.ts'
import { RECEIPT, termsOf } from './terms.ts'

export interface Sent {
  readonly call: Call
  readonly rawPayment: RawPayment
}

export interface ServiceOptions {
  readonly registry?: SkillRegistry
  readonly sell?: Sell
  readonly loopback?: boolean
  readonly allowedHosts?: readonly string[]
  /** What the limiter answers to `blocked`. */
  readonly blocked?: number
  /** What it blocks only so. */
  readonly blocks?: 'unpaid'
  /** Writes the head of an answer before the handler does. */
  readonly begun?: boolean
  /** In place of the limiter that counts in `counted`, some of its acts. */
  readonly limiter?: Partial<UnpaidLimiter>
}

export interface Reply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: what came over the wire is looked at member by member
  readonly json: any
}

type Headers = Record<string, string | string[]>

export interface Ask {
  readonly method?: string
  readonly path?: string
  readonly headers?: Headers
  readonly body?: string | Buffer
}

export type McpService = Awaited<ReturnType<typeof startMcp>>

/** Like `startMcp`, for the test that calls it alone: at its end the service is closed. */
export async function startForTest(options: ServiceOptions = {}): Promise<McpService> {
  const mcp = await startMcp(options)
  onTestFinished(() => mcp.close())
  return mcp
}

export async function startMcp(options: ServiceOptions = {}) {
  const sent: Sent[] = []
  const logged: unknown[] = []
  const counted: string[] = []
  let delivered = 0
  const registry = options.registry ?? madeUpSkills()
  const quoteItems = (skill: Skill, items: number) => termsOf('https://fc.example', skill, items)
  const script = options.sell ?? sellWhoeverPays(quoteItems, () => delivered++)
  const log = { error: (...line: unknown[]) => void logged.push(line) }
  const limiter: UnpaidLimiter = {
    track: (_req, _res, next) => next(),
    blocked: (_req, attempt = 'unpaid') =>
      (options.blocks ?? attempt) === attempt ? options.blocked : undefined,
    hit: (_req, attempt) => void counted.push(`hit ${attempt ?? 'unpaid'}`),
    takeBack: () => void counted.push('takeBack'),
    giveBack: () => void counted.push('giveBack'),
    clientOf: () => '127.0.0.1',
    close: () => {},
    ...options.limiter,
  }
  const quote: QuoteBook = {
    single: (skill) => quoteItems(skill, 1),
    of: async ({ type, items }) => quoteItems((registry.get(type) ?? registry.all[0]) as Skill, items),
  }
  const counter = createCounter({
    sell: (call, rawPayment) => {
      sent.push({ call, rawPayment })
      return script(call, rawPayment)
    },
    log,
    limiter,
  })
  const endpoint = mcpHandler({
    ...{ registry, quote, counter },
    executors: skillExecutors({ registry, quote, counter }),
    baseUrl: 'https://fc.example',
    version: '1.2.0',
    texts: { priceList: '{"price":"$0.001"}', docs: '# Docs' },
    log,
    allowedHosts: options.allowedHosts ?? ['127.0.0.1', 'localhost', '[::1]'],
    loopback: options.loopback ?? true,
  })
  const dropped = Promise.withResolvers<void>()
  const lines: AccessLogFields[] = []
  const server = createServer((req, res) => {
    res.once('close', () => {
      lines.push(accessLogFields(res))
      if (!res.writableFinished) dropped.resolve()
    })
    if (options.begun) res.writeHead(200).flushHeaders()
    endpoint.handle(req, res)
  })
  const { port, url, stop } = await listenOnLoopback(server)

  return {
    url: `${url}/mcp`,
    port,
    sent,
    logged,
    counted,
    /** What the access log has of each request. */
    lines,
    delivered: () => delivered,
    /** Resolves when the service has seen a client leave before its answer. */
    dropped: dropped.promise,
    ask: (ask: Ask) => ask_(port, ask),
    /** Posts one message as an older client does. */
    post: (message: unknown, headers: Headers = {}) => ask_(port, { headers, body: JSON.stringify(message) }),
    /** Posts one message as a client of 2026-07-28 does. */
    modern: (message: Message, headers: Headers = {}) =>
      ask_(port, {
        headers: { ...modernHeaders(message), ...headers },
        body: JSON.stringify(enveloped(message)),
      }),
    async close() {
      await endpoint.close()
      await stop()
    },
  }
}

export interface Message {
  readonly method: string
  readonly id?: string | number
  readonly params?: Record<string, unknown>
}

export const MODERN = '2026-07-28'

export function modernHeaders({ method, params }: Message): Record<string, string> {
  const name = params?.name ?? params?.uri
  return {
    'mcp-protocol-version': MODERN,
    'mcp-method': method,
    ...(typeof name === 'string' && { 'mcp-name': name }),
  }
}

export function enveloped({ method, id = 1, params = {} }: Message): object {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': MODERN,
    'io.modelcontextprotocol/clientCapabilities': {},
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    ...(params._meta as object | undefined),
  }
  return { jsonrpc: '2.0', id, method, params: { ...params, _meta } }
}

/** A tool call in the words of older clients. */
export function call(
  value: unknown,
  meta?: object,
  name = 'validate_iban',
  id: string | number = 1,
): Message & object {
  const params = { name, arguments: { value }, ...(meta && { _meta: meta }) }
  return { jsonrpc: '2.0', id, method: 'tools/call', params } as Message
}

/** Quotes calls without a payment and sells to all others. */
export function sellWhoeverPays(
  quote: (skill: Skill, items: number) => Quote,
  delivered: () => void = () => {},
): Sell {
  return async (call, rawPayment): Promise<Sale> => {
    if (call.kind !== 'value') throw new Error('no sealed calls on this surface')
    if (rawPayment.kind === 'none')
      return {
        kind: 'unpaid',
        code: 'payment_required',
        quote: quote(call.items[0].skill, call.items.length),
      }
    const [first, ...others] = call.items
    const check = ({ skill, value }: Item) => skill.check(value)
    const verdicts = [check(first), ...others.map(check)] as const
    return {
      kind: 'sold',
      verdicts,
      json: resultJsonOf(call.shape, () => verdicts),
      settlement: RECEIPT,
      authorization: JSON.stringify(rawPayment),
      replayed: false,
      rulesetChanged: false,
      delivered,
    }
  }
}

function ask_(
  port: number,
  { method = 'POST', path = '/mcp', headers = {}, body = '' }: Ask,
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const all = {
      accept: 'application/json, text/event-stream',
      ...(method === 'POST' && { 'content-type': 'application/json' }),
      ...headers,
    }
    const req = request({ host: '127.0.0.1', port, path, method, headers: all }, (res) => {
      const chunks: Buffer[] = []
      res.on('data', (chunk: Buffer) => chunks.push(chunk))
      res.on('error', reject)
      res.on('end', () => {
        const text = Buffer.concat(chunks).toString()
        resolve({ status: res.statusCode ?? 0, headers: res.headers, text, json: jsonOf(text) })
      })
    })
    req.on('error', reject)
    req.end(body)
  })
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A check or list may take as much; any number of checks may be added. */
const BYTES_PER_TOOL = 2_200
const BYTES_PER_NAME = 100

/** Fails if a tool has grown over its bound: hosts give a model all of them. */
export function expectSmallTools(tools: readonly { readonly name: string }[]): void {
  for (const tool of tools)
    expect(Buffer.byteLength(JSON.stringify(tool)), tool.name).toBeLessThan(
      BYTES_PER_TOOL + BYTES_PER_NAME * (tool.name === 'validate_batch' ? tools.length : 0),
    )
}
