import { type Maker, sender, strangePath } from './drafts.ts'
import { CANARY } from './hostile-values.ts'
import { type Draft, noiseHeaders } from './write-request.ts'

const FREE_PATHS = [
  '/',
  '/api/types',
  '/openapi.json',
  '/llms.txt',
  '/llms-full.txt',
  '/.well-known/x402',
  '/.well-known/agent-card.json',
  '/.well-known/agent.json',
  '/.well-known/mcp/server-card.json',
  '/.well-known/jwks.json',
  '/.well-known/did.json',
  '/.well-known/agent-skills/index.json',
  '/.well-known/api-catalog',
  '/.well-known/security.txt',
  '/robots.txt',
  '/sitemap.xml',
  '/favicon.ico',
  '/errors',
  '/healthz',
  '/readyz',
  '/status.json',
  '/sandbox.json',
  '/sandbox/wallet',
  '/checks/iban',
]
const ADMIN_PATHS = ['/', '/metrics', '/operator.css', '/favicon.ico', '/debug', '/metrics/..']

export function freeDraft(maker: Maker): Draft {
  const { random, host, adminHost } = maker
  const admin = random.int(6) === 0
  const known = random.pick(admin ? ADMIN_PATHS : FREE_PATHS)
  const path = random.int(4) === 0 ? strangePath(random, known) : known
  const method =
    random.int(4) === 0 ? random.pick(['HEAD', 'OPTIONS', 'DELETE', 'PUT', 'TRACE', 'PROPFIND']) : 'GET'
  const etag: [string, string][] = random.int(6) === 0 ? [['If-None-Match', `*, W/"${CANARY}"`]] : []
  const headers = [sender(random), ...etag, ...noiseHeaders(random)]
  return {
    kind: admin ? 'operator' : 'documents',
    method,
    path,
    host: admin ? adminHost : host,
    headers,
    body: null,
    surface: 'free',
    port: admin ? 'admin' : 'public',
  }
}

export function stateDraft({ random, host, purse }: Maker): Draft {
  const { payer, nonce } = purse.pick(random)
  const path =
    random.int(2) === 0 ? `/payments/${payer}/${nonce}` : strangePath(random, `/payments/${payer}/${nonce}`)
  return {
    kind: 'payment state',
    method: 'GET',
    path,
    host,
    headers: [sender(random), ...noiseHeaders(random)],
    body: null,
    surface: 'free',
  }
}
