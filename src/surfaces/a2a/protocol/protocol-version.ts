/**
 * The A2A version of a request: that of the header, else of the query parameter with the same name (A2A 1.0, section
 * 3.6.1), else of the method, whose name differs between the versions. Patch numbers are ignored (section 3.6.2).
 */
import type { IncomingMessage } from 'node:http'
import { A2A_VERSION_HEADER } from '@a2a-js/sdk'
import { A2A_LEGACY_PROTOCOL_VERSION, isV1JsonRpcMethod } from '@a2a-js/sdk/compat/v0_3'

const PROTOCOL_VERSIONS = ['1.0', '0.3'] as const
export type ProtocolVersion = (typeof PROTOCOL_VERSIONS)[number]

const KEY = A2A_VERSION_HEADER.toLowerCase()

export type VersionClaim = ProtocolVersion | 'unsupported' | 'unsaid'

/** Undefined if the query has anything but one version. */
export function readVersionClaim(req: IncomingMessage): VersionClaim | undefined {
  const inQuery = versionInQuery(req.url ?? '')
  if (inQuery === undefined) return undefined
  const header = req.headers[KEY]
  const text = (typeof header === 'string' ? header.trim() : '') || inQuery
  if (text === '') return 'unsaid'
  const [, version] = /^(1\.0|0\.3)(?:\.\d{1,4})?$/.exec(text) ?? []
  return PROTOCOL_VERSIONS.find((known) => known === version) ?? 'unsupported'
}

/** Returns 0.3 for a method that neither version has. */
export const versionOfMethod = (method: string): ProtocolVersion =>
  isV1JsonRpcMethod(method) ? '1.0' : A2A_LEGACY_PROTOCOL_VERSION

function versionInQuery(url: string): string | undefined {
  const mark = url.indexOf('?')
  if (mark < 0) return ''
  const entries = [...new URLSearchParams(url.slice(mark + 1))]
  if (entries.length === 0) return ''
  const [entry] = entries
  return entries.length === 1 && entry?.[0].toLowerCase() === KEY ? entry[1].trim() : undefined
}
