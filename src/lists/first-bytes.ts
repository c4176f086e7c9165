import { ListFault } from './list-fault.ts'

/** Reads the first bytes, `least` or more unless that is the whole; `all` yields them again with the rest. */
export async function peek(bytes: AsyncIterable<Uint8Array>, least: number) {
  const source = bytes[Symbol.asyncIterator]()
  const head: Uint8Array[] = []
  let [size, isWhole] = [0, false]
  while (size < least && !isWhole) {
    const { value, done } = await source.next()
    if (done === true) isWhole = true
    else {
      head.push(value)
      size += value.length
    }
  }
  const rest = { [Symbol.asyncIterator]: () => source }
  async function* all(): AsyncGenerator<Uint8Array> {
    yield* head
    yield* rest
  }
  return { start: joined(head), isWhole, rest, all: all() }
}

export function joined(chunks: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const chunk of chunks) {
    all.set(chunk, at)
    at += chunk.length
  }
  return all
}

export const isZip = ([first, second, third, fourth]: Uint8Array): boolean =>
  first === 0x50 && second === 0x4b && third === 3 && fourth === 4

/** Throws {@link ListFault} for kinds of files that cannot be read. */
export function refuseOtherBytes(start: Uint8Array): void {
  const [first, second, third, fourth] = start
  if (first === 0xd0 && second === 0xcf && third === 0x11)
    throw new ListFault(
      'the list is a workbook with a password, or of the old kind (.xls); save it as .xlsx without a password',
    )
  if ((first === 0xff && second === 0xfe && third === 0 && fourth === 0) || (first === 0 && second === 0))
    throw new ListFault('the list is UTF-32 or no text; save it as "CSV UTF-8"')
  if (first === 0x25 && second === 0x50 && third === 0x44 && fourth === 0x46)
    throw new ListFault('the list is a PDF; export it as a workbook or CSV')
  if (isPicture(start))
    throw new ListFault('the list is a picture; no text is read from pictures, so give a workbook or CSV')
}

/** What pictures have in their first bytes, and where: JPEG, PNG, GIF, TIFF, WebP, those of phones (HEIC, AVIF). */
const PICTURES = [
  [0, '\u00ff\u00d8\u00ff'],
  [0, '\u0089PNG'],
  [0, 'GIF8'],
  [0, 'II*\0'],
  [0, 'MM\0*'],
  [8, 'WEBP'],
  [4, 'ftyphei'],
  [4, 'ftypmif'],
  [4, 'ftypavi'],
] as const

function isPicture(start: Uint8Array): boolean {
  const text = String.fromCharCode(...start.subarray(0, 12))
  return PICTURES.some(([at, sign]) => text.startsWith(sign, at))
}
