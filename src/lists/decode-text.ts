import { peek } from './first-bytes.ts'
import { ListFault } from './list-fault.ts'

/** How much of a list its format is guessed from. */
const SAMPLE_BYTES = 64 * 1024

/** Encodings from before Unicode, with one byte for each character. */
const OLD = ['windows-1250', 'windows-1252', 'iso-8859-2'] as const
/** Encodings that a person can name. */
export const ENCODINGS = ['utf-8', 'utf-16le', 'utf-16be', ...OLD] as const
export type EncodingName = (typeof ENCODINGS)[number]

export interface TextEncodingInUse {
  readonly name: EncodingName
  readonly hasBom: boolean
  /** True if the text is in one of the old encodings, and nothing says in which. */
  readonly isGuess: boolean
}

export interface DecodedText {
  readonly encoding: TextEncodingInUse
  readonly sample: string
  /** True if the sample is the whole text. */
  readonly isWhole: boolean
  readonly chunks: AsyncIterable<string>
}

/** Thrown at bytes of an old encoding behind a sample that was all ASCII: the list must be read again with `isOld`. */
export class LateEncoding extends ListFault {}

export interface DecodeOptions {
  readonly encoding?: EncodingName | undefined
  /** True after a {@link LateEncoding}: the text is in one of the old encodings. */
  readonly isOld?: boolean | undefined
}

/**
 * UTF-8, UTF-16, or the encoding that was named. Other bytes are read as windows-1252, marked as a guess: ASCII is
 * right in all old encodings, and each byte becomes one character, so that the text can be written again as it was.
 * Throws {@link ListFault} for bytes that the encoding does not allow.
 */
export async function decodeText(
  bytes: AsyncIterable<Uint8Array>,
  { encoding: wanted, isOld = false }: DecodeOptions,
): Promise<DecodedText> {
  const { start: first, isWhole, rest } = await peek(bytes, SAMPLE_BYTES)
  const { name, hasBom } = detect(first, wanted)
  let encoding: TextEncodingInUse = { name, hasBom, isGuess: false }
  const isOpen = name === 'utf-8' && !hasBom && wanted === undefined && !isBinary(first)
  if (isOpen && (isOld || !decodes(first, isWhole)))
    encoding = { name: 'windows-1252', hasBom, isGuess: true }
  const decoder = new TextDecoder(encoding.name, { fatal: true })
  const decode = (chunk: Uint8Array, stream: boolean): string => {
    try {
      return decoder.decode(chunk, { stream })
    } catch {
      const Fault = isOpen && !/[^\0-\x7f]/.test(sample) ? LateEncoding : ListFault
      throw new Fault(
        `the list is not ${encoding.name} throughout; name its encoding with --encoding, or save it as "CSV UTF-8"`,
      )
    }
  }
  let sample = ''
  sample = decode(first, !isWhole)
  async function* chunks(): AsyncGenerator<string> {
    yield sample
    for await (const chunk of rest) yield decode(chunk, true)
    yield decode(new Uint8Array(), false)
  }
  return { encoding, sample, isWhole, chunks: chunks() }
}

function decodes(bytes: Uint8Array, isWhole: boolean): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: !isWhole })
    return true
  } catch {
    return false
  }
}

/** By the byte order mark, else as named, else by the zero bytes that UTF-16 has in ASCII text. */
function detect(bytes: Uint8Array, wanted?: EncodingName): { name: EncodingName; hasBom: boolean } {
  const [first, second, third] = bytes
  if (first === 0xef && second === 0xbb && third === 0xbf) return { name: 'utf-8', hasBom: true }
  if (first === 0xff && second === 0xfe) return { name: 'utf-16le', hasBom: true }
  if (first === 0xfe && second === 0xff) return { name: 'utf-16be', hasBom: true }
  if (wanted !== undefined) return { name: wanted, hasBom: false }
  if (first !== 0 && second === 0) return { name: 'utf-16le', hasBom: false }
  if (first === 0 && second !== undefined && second !== 0) return { name: 'utf-16be', hasBom: false }
  return { name: 'utf-8', hasBom: false }
}

/** Control characters that no text has. */
const isBinary = (bytes: Uint8Array): boolean => bytes.some((byte) => byte < 9 || (byte > 13 && byte < 27))

/** The characters of the bytes from 128 on. */
export const signsOf = (name: string): string =>
  new TextDecoder(name).decode(Uint8Array.from({ length: 128 }, (_, at) => 128 + at))

/** Returns a test for texts that read otherwise in another of the old encodings. */
export function createAmbiguity(): (text: string) => boolean {
  const [own = '', ...others] = OLD.map(signsOf)
  const shared = new Set([...own].filter((sign, at) => others.every((signs) => signs[at] === sign)))
  return (text) => /[^\0-\x7f]/.test(text) && [...text].some((sign) => sign > '\x7f' && !shared.has(sign))
}
