/** The two extension URIs under which x402 payment inside A2A messages is known, and who asked for them. */
import type { IncomingMessage } from 'node:http'
import { Extensions, HTTP_EXTENSION_HEADER } from '@a2a-js/sdk'
import { LEGACY_HTTP_EXTENSION_HEADER } from '@a2a-js/sdk/compat/v0_3'

/** x402 extension, specification 0.2. */
export const X402_V02 = 'https://github.com/google-agentic-commerce/a2a-x402/blob/main/spec/v0.2'
/** x402 extension, specification 0.1; the one the x402 v2 transport cites. */
export const X402_V01 = 'https://github.com/google-a2a/a2a-x402/v0.1'

const X402_EXTENSIONS: readonly string[] = [X402_V02, X402_V01]

const NAMES = [HTTP_EXTENSION_HEADER, LEGACY_HTTP_EXTENSION_HEADER] as const

/** Which headers, under which of the two names, asked for which of our URIs. */
export interface ExtensionRequest {
  readonly uris: readonly string[]
  /** Header names the client used; the answer repeats the URIs under these. */
  readonly headers: readonly string[]
}

/** Reads both header names whatever the version: the x402 specifications send the older one over A2A 1.0 too. */
export function readExtensionHeaders(req: IncomingMessage): ExtensionRequest {
  const asked = NAMES.map((name) => ({ name, uris: ours(headerText(req, name)) }))
  return {
    uris: [...new Set(asked.flatMap(({ uris }) => uris))],
    headers: asked.filter(({ uris }) => uris.length > 0).map(({ name }) => name),
  }
}

/** Those of a message's own extension URIs that are ours. */
export function ownExtensions(uris: unknown): readonly string[] {
  return Array.isArray(uris) ? X402_EXTENSIONS.filter((uri) => uris.includes(uri)) : []
}

function ours(text: string): readonly string[] {
  return ownExtensions(Extensions.parseServiceParameter(text))
}

function headerText(req: IncomingMessage, name: string): string {
  return [req.headers[name.toLowerCase()] ?? []].flat().join(',')
}
