import { UsageError } from '../command-line/usage-error.ts'

/** The beginning of a list, from which its format is guessed. */
const SAMPLE_BYTES = 64 * 1024

export interface DecodedText {
  readonly hasBom: boolean
  /** The first characters; the whole text if it is short. */
  readonly sample: string
  /** True if the sample is the whole text. */
  readonly isWhole: boolean
  /** The whole text, piece by piece. */
  readonly chunks: AsyncIterable<string>
}

/** Decodes UTF-8 and UTF-16, with or without a byte order mark; throws {@link UsageError} for anything else. */
export async function decodeText(bytes: AsyncIterable<Uint8Array>): Promise<DecodedText> {
  const source = bytes[Symbol.asyncIterator]()
  const head: Uint8Array[] = []
  let size = 0
  let isWhole = false
  while (size < SAMPLE_BYTES && !isWhole) {
    const { value, done } = await source.next()
    if (done === true) isWhole = true
    else {
      head.push(value)
      size += value.length
    }
  }
  const first = Buffer.concat(head)
  const { encoding, hasBom } = detectEncoding(first)
  const decoder = new TextDecoder(encoding, { fatal: true })
  const sample = decode(() => decoder.decode(first, { stream: !isWhole }))

  async function* chunks(): AsyncGenerator<string> {
    yield sample
    while (!isWhole) {
      const { value, done } = await source.next()
      if (done === true) break
      const text = decode(() => decoder.decode(value, { stream: true }))
      if (text !== '') yield text
    }
    if (!isWhole) yield decode(() => decoder.decode())
  }
  return { hasBom, sample, isWhole, chunks: chunks() }
}

function decode(run: () => string): string {
  try {
    return run()
  } catch {
    throw new UsageError('the list is neither UTF-8 nor UTF-16; save it as "CSV UTF-8"')
  }
}

/** By the byte order mark, else by the zero bytes that UTF-16 has in ASCII text. */
function detectEncoding(bytes: Buffer): { readonly encoding: string; readonly hasBom: boolean } {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return { encoding: 'utf-8', hasBom: true }
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return { encoding: 'utf-16le', hasBom: true }
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return { encoding: 'utf-16be', hasBom: true }
  if (bytes.length > 1 && bytes[0] !== 0 && bytes[1] === 0) return { encoding: 'utf-16le', hasBom: false }
  if (bytes.length > 1 && bytes[0] === 0 && bytes[1] !== 0) return { encoding: 'utf-16be', hasBom: false }
  return { encoding: 'utf-8', hasBom: false }
}
