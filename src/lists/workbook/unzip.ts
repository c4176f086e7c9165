import type { Budget } from '../budget.ts'
import { joined } from '../first-bytes.ts'
import { ListFault } from '../list-fault.ts'

const MOST_PARTS = 4_096

export interface ZipPart {
  readonly name: string
  /** Its entry in the directory. */
  readonly entry: Uint8Array<ArrayBuffer>
  /** Local header, name, packed bytes and descriptor, to copy the part into another archive with its `entry`. */
  readonly local: Uint8Array<ArrayBuffer>
  readonly packed: Uint8Array<ArrayBuffer>
  readonly isDeflated: boolean
  /** CRC-32 and size of the unpacked bytes, as the directory has them. */
  readonly check: Uint8Array<ArrayBuffer>
  readonly budget: Budget
}

const END_MARK = 0x06054b50
const ENTRY_MARK = 0x02014b50
const LOCAL_MARK = 0x04034b50
/** Bytes of the end record with the longest comment, whose length has two bytes. */
const LONGEST_END = 22 + 0xffff

/** A name with these bytes is in UTF-8; else in an old encoding, in which each byte is one character. */
const UTF8_FLAG = 0x0800
// biome-ignore lint/suspicious/noControlCharactersInRegex: the characters that are refused.
const CONTROL = /[\0-\x1f\x7f]/

const broken = () => new ListFault('the workbook is damaged: it is no whole archive')

/** The parts of a zip (APPNOTE 6.3.10, without ZIP64 and encryption), in the order of its directory. */
export function readZip(bytes: Uint8Array<ArrayBuffer>, budget: Budget): readonly ZipPart[] {
  try {
    const parts = partsOf(bytes, budget)
    refuseSecondNames(parts)
    return parts
  } catch (error) {
    if (error instanceof RangeError) throw broken()
    throw error
  }
}

/** Programs differ in which of two parts they read; names are compared without case (ECMA-376, part 2, 6.2.2.3). */
function refuseSecondNames(parts: readonly ZipPart[]): void {
  const names = new Set<string>()
  for (const { name } of parts) {
    if (CONTROL.test(name)) throw new ListFault('the workbook has a part whose name has a control character')
    names.add(name.replace(/[A-Z]/g, (letter) => letter.toLowerCase()))
  }
  if (names.size < parts.length) throw new ListFault('the workbook has two parts of one name')
}

function partsOf(bytes: Uint8Array<ArrayBuffer>, budget: Budget): readonly ZipPart[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let end = bytes.length - 22
  while (end >= 0 && view.getUint32(end, true) !== END_MARK) {
    end -= 1
    if (bytes.length - end > LONGEST_END) throw broken()
  }
  if (end < 0) throw broken()
  const count = view.getUint16(end + 10, true)
  if (count > MOST_PARTS) throw new ListFault('the workbook has too many parts')
  let at = view.getUint32(end + 16, true)
  return Array.from({ length: count }, () => {
    if (view.getUint32(at, true) !== ENTRY_MARK) throw broken()
    const [flags, method] = [view.getUint16(at + 8, true), view.getUint16(at + 10, true)]
    const [size, nameSize] = [view.getUint32(at + 20, true), view.getUint16(at + 28, true)]
    const entryEnd = at + 46 + nameSize + view.getUint16(at + 30, true) + view.getUint16(at + 32, true)
    const local = view.getUint32(at + 42, true)
    if ((flags & 1) !== 0) throw new ListFault('the workbook has a password; save it without one')
    if ((method !== 0 && method !== 8) || view.getUint32(local, true) !== LOCAL_MARK) throw broken()
    const from = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true)
    if (from + size > bytes.length) throw broken()
    const nameAt = (start: number, length: number) =>
      new TextDecoder((flags & UTF8_FLAG) === 0 ? 'windows-1252' : 'utf-8').decode(
        bytes.subarray(start, start + length),
      )
    const name = nameAt(at + 46, nameSize)
    // A changed name would leave out its part, and a program that reads from the start finds the other.
    if (nameAt(local + 30, view.getUint16(local + 26, true)) !== name) throw broken()
    const part = {
      name,
      entry: bytes.subarray(at, entryEnd),
      // A descriptor of 12 or 16 bytes follows where the sizes were not known in time.
      local: bytes.subarray(local, from + size + ((flags & 8) === 0 ? 0 : descriptorAt(view, from + size))),
      packed: bytes.subarray(from, from + size),
      isDeflated: method === 8,
      check: joined([bytes.subarray(at + 16, at + 20), bytes.subarray(at + 24, at + 28)]),
      budget,
    }
    at = entryEnd
    return part
  })
}

const descriptorAt = (view: DataView, at: number): number =>
  view.getUint32(at, true) === 0x08074b50 ? 16 : 12

/**
 * The text of a part, piece by piece, in UTF-8 or UTF-16; throws {@link ListFault} if it is damaged, not what its CRC-32
 * says, in another encoding, or if the budget is spent.
 */
export async function* textOf(part: ZipPart): AsyncGenerator<string> {
  const { budget } = part
  const reader = asGzip(part).pipeThrough(new DecompressionStream('gzip')).getReader()
  let decoder: TextDecoder | undefined
  let isChecked = false
  try {
    for (;;) {
      const { value, done } = await reader.read()
      if (done) break
      budget.take('unpacked', value.length)
      decoder ??= new TextDecoder(encodingOf(value), { fatal: true })
      const text = decoder.decode(value, { stream: true })
      if (!isChecked) checkText(text, decoder)
      isChecked = true
      if (NOT_XML.test(text)) throw new ListFault('the workbook has a character that XML does not allow')
      yield text
      await budget.turn()
    }
    yield decoder?.decode() ?? ''
  } catch (error) {
    if (error instanceof ListFault) throw error
    throw new ListFault(
      'the workbook is damaged: a part of it is cut off or was changed, and its checksum is wrong; get the file again',
    )
  } finally {
    void reader.cancel().catch(() => undefined)
  }
}

const GZIP_HEAD = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff)
const LONGEST_STORED = 0xffff

/** As gzip (RFC 1952), whose reader compares the CRC-32: browsers compute no other. */
const asGzip = ({ packed, isDeflated, check }: ZipPart): ReadableStream<Uint8Array<ArrayBuffer>> =>
  new Blob([GZIP_HEAD, ...(isDeflated ? [packed] : storedBlocks(packed)), check]).stream()

/** Bytes that are not compressed, as DEFLATE has them (RFC 1951, section 3.2.4). */
function storedBlocks(bytes: Uint8Array<ArrayBuffer>): readonly Uint8Array<ArrayBuffer>[] {
  const blocks: Uint8Array<ArrayBuffer>[] = []
  let at = 0
  do {
    const block = bytes.subarray(at, at + LONGEST_STORED)
    at += LONGEST_STORED
    const [low, high] = [block.length & 0xff, block.length >> 8]
    blocks.push(Uint8Array.of(at >= bytes.length ? 1 : 0, low, high, low ^ 0xff, high ^ 0xff), block)
  } while (at < bytes.length)
  return blocks
}

/** XML 1.0, section 2.2; a decoder gives no lone surrogate. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the characters that are refused.
const NOT_XML = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/

/** By the byte order mark (XML 1.0, appendix F). */
const encodingOf = ([first, second]: Uint8Array): string =>
  first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8'

/** Another program might believe the declaration. */
function checkText(start: string, { encoding }: TextDecoder): void {
  const declared = /^<\?xml[^>]*?\sencoding\s*=\s*["']([^"']*)/.exec(start)?.[1]?.toLowerCase()
  if (declared === undefined || declared === encoding || declared === encoding.slice(0, 6)) return
  throw new ListFault('the workbook has a part that is neither in UTF-8 nor in UTF-16, or says so wrongly')
}
