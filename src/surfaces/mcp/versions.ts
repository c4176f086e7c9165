import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/server'

/** The SDK serves this revision but lists only the older ones, which begin with a handshake. */
const NEWEST = '2026-07-28'

/** A draft from before the first revision, which the SDK lists. */
const DRAFT = '2024-10-07'

/** The supported revisions of MCP, newest first. */
export const MCP_VERSIONS: readonly [string, ...string[]] = [
  NEWEST,
  ...SUPPORTED_PROTOCOL_VERSIONS.filter((version) => version !== DRAFT),
]
