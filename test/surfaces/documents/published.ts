import type { TestService } from '../../support/sandbox-service.ts'

/** Every address at which a document for programs is published, guides and single error pages aside. */
export const DOCUMENTS = [
  '/llms.txt',
  '/llms-full.txt',
  '/openapi.json',
  '/api/types',
  '/.well-known/x402',
  '/.well-known/agent-card.json',
  '/.well-known/agent.json',
  '/.well-known/mcp/server-card.json',
  '/.well-known/mcp.json',
  '/mcp/server-card',
  '/.well-known/jwks.json',
  '/.well-known/did.json',
  '/.well-known/agent-skills/index.json',
  '/.well-known/agent-skills/iban/SKILL.md',
  '/.well-known/agent-skills/eu-vat/SKILL.md',
  '/.well-known/agent-skills/pl-nip/SKILL.md',
  '/.well-known/agent-skills/pl-regon/SKILL.md',
  '/.well-known/agent-skills/pl-pesel/SKILL.md',
  '/.well-known/agent-skills/email/SKILL.md',
  '/.well-known/api-catalog',
  '/apis.json',
  '/.well-known/ai-catalog.json',
  '/.well-known/agent-registration.json',
  '/.well-known/security.txt',
  '/robots.txt',
  '/sitemap.xml',
  '/favicon.ico',
  '/icon.svg',
  '/docs/a2a.md',
] as const

/** The pages for people that others lead to. */
export const PAGES = ['/', '/errors'] as const

export const textOf = async ({ url }: Pick<TestService, 'url'>, path: string): Promise<string> =>
  (await fetch(`${url}${path}`)).text()

// biome-ignore lint/suspicious/noExplicitAny: what came over the wire is looked at member by member
export const jsonOf = async (service: Pick<TestService, 'url'>, path: string): Promise<any> =>
  JSON.parse(await textOf(service, path))
