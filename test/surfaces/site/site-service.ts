import { createServer, type IncomingMessage, request } from 'node:http'
import { RULESETS } from 'format-checker-checks/internal/checks'
import { problemSender } from '../../../src/http/body/problem.ts'
import { BASE } from '../../../src/payments/networks/base.ts'
import { SANDBOX } from '../../../src/payments/networks/sandbox.ts'
import { readGuides } from '../../../src/surfaces/documents/texts/guides.ts'
import type { PageContext } from '../../../src/surfaces/site/page-context.ts'
import { buildSite, sitePaths } from '../../../src/surfaces/site/routes.ts'
import type { Status } from '../../../src/surfaces/site/status/status.ts'
import { listenOnLoopback } from '../../support/loopback.ts'
import { realRegistry } from '../../support/registry.ts'
import { quoteFor } from '../rest/scripted-sale.ts'

const OK: Status = {
  payments: { state: 'ok', reasons: [] },
  version: '9.9.9',
  uptimeSeconds: 90_061,
  rulesets: RULESETS,
}

/** What the pages of a made-up address are made from. */
export function pageContext(sandbox = false): PageContext {
  return {
    baseUrl: 'https://checks.example',
    version: '9.9.9',
    sandbox,
    chain: sandbox ? SANDBOX : BASE,
    mark: sandbox ? 'SANDBOX' : null,
    skills: realRegistry(),
    quote: (skill) => quoteFor(skill),
    listing: {
      service: 'Format Checker',
      ...{ summary: '', facilitator: 'https://facilitator.example', protocol: 'x402 version 2' },
      price: '$0.001',
      network: 'eip155:8453',
      networkName: 'Base',
      asset: `0x${'33'.repeat(20)}`,
      payTo: `0x${'44'.repeat(20)}`,
      usage: 'POST the JSON body.',
      privacy: 'The value is never stored & never <sent>. Results mask it.',
    },
    operator: { termsUrl: null, supportUrl: null, operatorName: null, contactEmail: null },
    source: null,
    mcpHosts: { words: 'At most a dollar a day.', line: 'claude mcp add', links: [], file: '{}' },
  }
}

export interface Answer {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
}

/** The site alone on a real socket; asked with Node's own client, which adds no header and undoes no encoding. */
export async function startSite(sandbox = false, status = async (): Promise<Status> => OK) {
  const context = pageContext(sandbox)
  const sendProblem = problemSender(context.baseUrl)
  const guides = readGuides(context)
  const site = buildSite({
    context,
    guides,
    status,
    links: '</openapi.json>; rel="service-desc"',
    markdown: '# Format Checker',
    sendProblem,
  })
  const server = createServer((req, res) =>
    site.routes(req, res, (error) => {
      if (error !== undefined) sendProblem(res, 'internal_error')
      else site.notFound(req, res, () => sendProblem(res, 'not_found'))
    }),
  )
  const { port, stop } = await listenOnLoopback(server)

  const ask = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    new Promise<Answer>((resolve, reject) => {
      const sent = request({ host: '127.0.0.1', port, path, method, headers, agent: false }, async (res) => {
        const chunks: Buffer[] = []
        for await (const chunk of res) chunks.push(chunk)
        resolve({ status: res.statusCode ?? 0, headers: res.headers, body: Buffer.concat(chunks) })
      })
      sent.on('error', reject).end()
    })
  return {
    context,
    paths: sitePaths(context, guides),
    ask,
    text: async (path: string) => (await ask(path)).body.toString(),
    stop,
  }
}

export type Site = Awaited<ReturnType<typeof startSite>>
