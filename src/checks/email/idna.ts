/**
 * Whether an "xn--" label is the ASCII form of a name that IDNA 2008 allows.
 *
 * Sources: RFC 3492 (Punycode), RFC 5891, 4.2.3.1 and 5.4 (label rules, round trip), RFC 5892, 2 (permitted code
 * points), RFC 5893, 2 (labels written from right to left), RFC 5890, 2.3.2.1 (A-label).
 */
import { isIn } from './code-points.ts'
import { fitsBidi } from './idna-bidi.ts'
import { dependsOnContext, fitsContext } from './idna-context.ts'
import { decodePunycode, encodePunycode } from './punycode.ts'

const PREFIX = 'xn--'

export function decodesUnderIdna(label: string): boolean {
  const name = decodePunycode(label.slice(PREFIX.length))
  if (name === undefined || encodePunycode(name) !== label.slice(PREFIX.length)) return false
  return isUnicodeLabel(name)
}

function isUnicodeLabel(name: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the range is all of ASCII.
  if (/^[\x00-\x7f]*$/.test(name) || name.normalize('NFC') !== name) return false
  if (/^-|-$|^..--/u.test(name)) return false
  if (/[\u0660-\u0669]/.test(name) && /[\u06f0-\u06f9]/.test(name)) return false
  const characters = [...name]
  if (isIn('spacing', characters[0]!) || isIn('nonspacing', characters[0]!)) return false
  const arePermitted = characters.every((character, index) =>
    dependsOnContext(character) ? fitsContext(characters, index) : isIn('permitted', character),
  )
  return arePermitted && fitsBidi(characters)
}
