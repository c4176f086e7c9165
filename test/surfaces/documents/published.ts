import { expect } from 'vitest'
import { CHECK_TYPES } from '../../../src/checks/verdict.ts'
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
  ...CHECK_TYPES.map((type) => `/.well-known/agent-skills/${type}/SKILL.md` as const),
  '/.well-known/api-catalog',
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

/** What `/openapi.json` may take beside its checks, and for each of them: 45 kB for six. An agent reads it whole. */
const SHARED_BYTES = 26_400
const BYTES_PER_CHECK = 3_100

/** Fails if the description of the API has grown over its bound, with channels or without. */
export const expectSmall = (description: string): void =>
  expect(
    Buffer.byteLength(description),
    'openapi.json is over its size: shorten a description in src/surfaces/documents/openapi/',
  ).toBeLessThan(SHARED_BYTES + BYTES_PER_CHECK * CHECK_TYPES.length)
