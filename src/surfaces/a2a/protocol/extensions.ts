import type { IncomingMessage } from 'node:http'
import { Extensions, HTTP_EXTENSION_HEADER } from '@a2a-js/sdk'
import { LEGACY_HTTP_EXTENSION_HEADER } from '@a2a-js/sdk/compat/v0_3'
import type { RequestContext } from './request-context.ts'

/** The extension for x402 payments in A2A messages, specification 0.2. */
export const X402_V02 = 'https://github.com/google-agentic-commerce/a2a-x402/blob/main/spec/v0.2'
/** Its specification 0.1, which the A2A transport of x402 version 2 cites. */
export const X402_V01 = 'https://github.com/google-a2a/a2a-x402/v0.1'

const X402_EXTENSIONS: readonly string[] = [X402_V02, X402_V01]

const NAMES = [HTTP_EXTENSION_HEADER, LEGACY_HTTP_EXTENSION_HEADER] as const

export interface ExtensionRequest {
  readonly uris: readonly string[]
  /** The names of the headers in which a client asked for them; the answer repeats the URIs in the same ones. */
  readonly headers: readonly string[]
}

/** Reads both header names in each version, because the x402 specifications use the older one over A2A 1.0 too. */
export function readExtensionHeaders(req: IncomingMessage): ExtensionRequest {
  const asked = NAMES.map((name) => {
    const text = [req.headers[name.toLowerCase()] ?? []].flat().join(',')
    return { name, uris: ownExtensions(Extensions.parseServiceParameter(text)) }
  })
  return {
    uris: [...new Set(asked.flatMap(({ uris }) => uris))],
    headers: asked.filter(({ uris }) => uris.length > 0).map(({ name }) => name),
  }
}

export function ownExtensions(uris: unknown): readonly string[] {
  return Array.isArray(uris) ? X402_EXTENSIONS.filter((uri) => uris.includes(uri)) : []
}

/** The x402 version of the terms in a task. */
export type OfferedTerms = '1' | '2'

/**
 * Clients that activate extension 0.1 alone over A2A 0.3 get version 1: the public ones parse nothing else. Over A2A
 * 1.0 the same URI means version 2, whose transport cites it.
 */
export function offeredTerms({ version, extensions }: RequestContext): OfferedTerms {
  const isOld = extensions.includes(X402_V01) && !extensions.includes(X402_V02)
  return version === '0.3' && isOld ? '1' : '2'
}
