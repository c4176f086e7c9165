/** Reads the bytes of a file as text, as spreadsheets and editors write them. */

/** Bytes of a file; a list of 1,000 rows is far below. */
export const LARGEST_FILE = 5 * 1024 * 1024

/** Thrown with words for the person at the page. */
export class ListFault extends Error {}

/**
 * Decodes UTF-8 or UTF-16, with or without a byte order mark; throws a ListFault for anything else.
 *
 * @param {Uint8Array} bytes
 */
export function decodeList(bytes) {
  if (bytes[0] === 0x50 && bytes[1] === 0x4b) {
    throw new ListFault('This is a workbook, not a text file. Save it as CSV and choose that file.')
  }
  try {
    return new TextDecoder(encodingOf(bytes), { fatal: true }).decode(bytes)
  } catch {
    throw new ListFault('The file is neither UTF-8 nor UTF-16. Save it as "CSV UTF-8" and choose that file.')
  }
}

/**
 * By the byte order mark, else by the zero bytes that UTF-16 has in ASCII text.
 *
 * @param {Uint8Array} bytes
 */
function encodingOf([first, second]) {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  if (first !== 0 && second === 0) return 'utf-16le'
  if (first === 0 && second !== undefined && second !== 0) return 'utf-16be'
  return 'utf-8'
}
