/** Revisions that begin with a handshake, newest first. 2025-03-26 is not among them: it asks for batches of messages. */
export const HANDSHAKE_VERSIONS = ['2025-11-25', '2025-06-18', '2024-11-05'] as const

/** For clients of 2025-03-26 and before, which know no newer one. */
export const OLDEST_VERSIONS = [HANDSHAKE_VERSIONS[2]] as const

/** The first revision of which the service answers every client with the newest it has. */
export const FIRST_OF_NEWER = HANDSHAKE_VERSIONS[1]

export const MCP_VERSIONS: readonly [string, ...string[]] = ['2026-07-28', ...HANDSHAKE_VERSIONS]
