import { CHANNEL_PATH } from '../../payments/channels/refunds/channel-quote.ts'

/**
 * Every public path. Under these are also one path for each check, guide, agent skill, asset and package, and the files of the
 * operator; the sandbox has its own two.
 */
export const PATHS = {
  // Calls.
  validate: '/api/validate/',
  mixedList: '/api/validate/batch',
  a2a: '/a2a',
  mcp: '/mcp',
  // Free requests of buyers.
  types: '/api/types',
  channel: CHANNEL_PATH,
  payment: '/payments/{payer}/{nonce}',
  // Descriptions for programs.
  agentCard: '/.well-known/agent-card.json',
  agentCardOfOld: '/.well-known/agent.json',
  agentCardAtEndpoint: '/a2a/.well-known/agent-card.json',
  openapi: '/openapi.json',
  x402: '/.well-known/x402',
  serverCard: '/mcp/server-card',
  serverCardWellKnown: '/.well-known/mcp/server-card.json',
  serverCardOfOld: '/.well-known/mcp.json',
  agentSkills: '/.well-known/agent-skills',
  apiCatalog: '/.well-known/api-catalog',
  did: '/.well-known/did.json',
  jwks: '/.well-known/jwks.json',
  llms: '/llms.txt',
  llmsFull: '/llms-full.txt',
  security: '/.well-known/security.txt',
  robots: '/robots.txt',
  sitemap: '/sitemap.xml',
  icon: '/icon.svg',
  favicon: '/favicon.ico',
  // Pages for people.
  home: '/',
  checks: '/checks',
  lists: '/lists',
  pricing: '/pricing',
  errors: '/errors',
  docs: '/docs',
  search: '/docs/search.json',
  terms: '/terms',
  privacy: '/privacy',
  socialCard: '/social-card.png',
  assets: '/assets',
  // State of the service.
  status: '/status',
  statusJson: '/status.json',
  statusBadge: '/status.svg',
  health: '/healthz',
  ready: '/readyz',
} as const
