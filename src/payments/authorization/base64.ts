const DIGITS = /^[A-Za-z0-9+/]+={0,2}$/

/**
 * The bytes of a base64 text (RFC 4648, section 4) without blanks, padded or not; null for any other text.
 *
 * Node's decoder passes over what is no base64 and takes the URL-safe alphabet as well; what it passed over is missing
 * at the end, and the two signs of that alphabet are looked for.
 */
export function fromBase64(text: string): Buffer | null {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  const digits = text.length - padding
  if (digits === 0 || text.includes('-') || text.includes('_')) return null
  // One digit too many tells of no bits, so it would not be missed.
  if (digits % 4 === 1 && !DIGITS.test(text)) return null
  const bytes = Buffer.from(text, 'base64')
  return bytes.length === Math.floor((digits * 6) / 8) ? bytes : null
}
