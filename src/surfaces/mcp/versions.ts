import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/server'

/** The revision whose requests carry an envelope; the SDK does not list it with those that begin with a handshake. */
const NEWEST = '2026-07-28'

/** A draft from before the first revision, which the SDK takes all the same. */
const DRAFT = '2024-10-07'

/** The revisions of MCP that are spoken, newest first. */
export const MCP_VERSIONS: readonly [string, ...string[]] = [
  NEWEST,
  ...SUPPORTED_PROTOCOL_VERSIONS.filter((version) => version !== DRAFT),
]
