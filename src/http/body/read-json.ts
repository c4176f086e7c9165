const UTF_8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Reads bytes as JSON text in UTF-8 (RFC 8259); undefined if they are not.
 *
 * Bytes that are not UTF-8 are refused rather than replaced, or the check would judge another string than the
 * one that was sent. A byte order mark is passed over (8.1). Of a member given twice the last one counts, which
 * is what `JSON.parse` does.
 */
export function readJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(UTF_8.decode(bytes))
  } catch {
    // The engine's message quotes the text, so nothing of the error is kept.
    return undefined
  }
}
