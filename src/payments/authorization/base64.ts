const DIGITS = /^[A-Za-z0-9+/]+={0,2}$/

/**
 * Decodes base64 (RFC 4648, section 4) without blanks, padded or not; null for any other text.
 *
 * Node's decoder accepts the URL-safe alphabet, too, and skips all other characters; then the bytes are too few.
 */
export function fromBase64(text: string): Buffer | null {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  const digits = text.length - padding
  if (digits === 0 || text.includes('-') || text.includes('_')) return null
  // One digit too many adds no byte, so the count of bytes does not show it.
  if (digits % 4 === 1 && !DIGITS.test(text)) return null
  const bytes = Buffer.from(text, 'base64')
  return bytes.length === Math.floor((digits * 6) / 8) ? bytes : null
}
