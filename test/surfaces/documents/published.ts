import { CHECK_TYPES } from 'format-checker-checks/verdict'
import { expect } from 'vitest'
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
  '/.well-known/ai-catalog.json',
  '/.well-known/security.txt',
  '/robots.txt',
  '/sitemap.xml',
  '/favicon.ico',
  '/icon.svg',
  '/docs/a2a.md',
  '/docs/errors.md',
] as const

/** The pages for people that others lead to. */
export const PAGES = ['/', '/errors'] as const

export const textOf = async ({ url }: Pick<TestService, 'url'>, path: string): Promise<string> =>
  (await fetch(`${url}${path}`)).text()

// biome-ignore lint/suspicious/noExplicitAny: what came over the wire is looked at member by member
export const jsonOf = async (service: Pick<TestService, 'url'>, path: string): Promise<any> =>
  JSON.parse(await textOf(service, path))

/** What `/openapi.json` may take beside its checks, but for their names. An agent reads it whole. */
const SHARED_BYTES = 26_400
/** The operations and the input of one check; the form of `skill.json` bounds what they are made of. */
const BYTES_PER_CHECK = 4_500
const BYTES_PER_NAME = 100

/** Fails if the description of the API has grown over its bounds, with channels or without; any number of checks may be added. */
export function expectSmall(description: string): void {
  const shared = JSON.parse(description)
  const words = 'openapi.json is over its size: shorten a description in src/surfaces/documents/openapi/'
  let names = 0
  for (const type of CHECK_TYPES) {
    const own = [shared.components.schemas[`Input-${type}`]]
    delete shared.components.schemas[`Input-${type}`]
    for (const path of [`/api/validate/${type}`, `/api/validate/${type}/batch`]) {
      own.push(shared.paths[path])
      delete shared.paths[path]
    }
    expect(Buffer.byteLength(JSON.stringify(own)), `${type}: ${words}`).toBeLessThan(BYTES_PER_CHECK)
    names += BYTES_PER_NAME
  }
  expect(Buffer.byteLength(JSON.stringify(shared)), words).toBeLessThan(SHARED_BYTES + names)
}
