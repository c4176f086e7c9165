const UTF_8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Reads bytes as JSON text in UTF-8 (RFC 8259), with or without a byte order mark (8.1); undefined if they are not. Bytes that
 * are not UTF-8 are refused and not replaced, or the check would judge another string than the one that was sent.
 */
export function readJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(UTF_8.decode(bytes))
  } catch {
    // The engine's message quotes the text, so nothing of the error is kept.
    return undefined
  }
}
