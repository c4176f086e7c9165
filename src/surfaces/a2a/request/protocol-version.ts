/**
 * Which A2A version a request speaks.
 *
 * The header decides, else the query parameter of the same name (A2A 1.0, section 3.6.1), else the method's
 * name, which the two versions spell differently. Patch numbers are passed over (section 3.6.2). The SDK reads
 * the header alone and compares whole strings, so it is handed a normalised one.
 */
import type { IncomingMessage } from 'node:http'
import { A2A_VERSION_HEADER } from '@a2a-js/sdk'
import { A2A_LEGACY_PROTOCOL_VERSION, isV1JsonRpcMethod } from '@a2a-js/sdk/compat/v0_3'

const PROTOCOL_VERSIONS = ['1.0', '0.3'] as const
export type ProtocolVersion = (typeof PROTOCOL_VERSIONS)[number]

const KEY = A2A_VERSION_HEADER.toLowerCase()

/** What a request says of its version before its method is known. */
export type VersionClaim = ProtocolVersion | 'unsupported' | 'unsaid'

/** Reads header and query; undefined when the query holds anything but the version's key, once. */
export function readVersionClaim(req: IncomingMessage): VersionClaim | undefined {
  const inQuery = versionInQuery(req.url ?? '')
  if (inQuery === undefined) return undefined
  const header = req.headers[KEY]
  const text = (typeof header === 'string' ? header.trim() : '') || inQuery
  if (text === '') return 'unsaid'
  const [, version] = /^(1\.0|0\.3)(?:\.\d{1,4})?$/.exec(text) ?? []
  return PROTOCOL_VERSIONS.find((known) => known === version) ?? 'unsupported'
}

/** The version meant by a request that says none: that of its method, and 0.3 for a method of neither. */
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
