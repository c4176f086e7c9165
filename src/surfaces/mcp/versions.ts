import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/server'

/** The revision whose requests carry an envelope; the SDK does not list it with those that begin with a handshake. */
const NEWEST = '2026-07-28'

/** The revisions of MCP that are spoken, newest first. */
export const MCP_VERSIONS: readonly [string, ...string[]] = [NEWEST, ...SUPPORTED_PROTOCOL_VERSIONS]
