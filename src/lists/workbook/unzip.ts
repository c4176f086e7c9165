import type { Budget } from '../budget.ts'
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
  readonly budget: Budget
}

const END_MARK = 0x06054b50
const ENTRY_MARK = 0x02014b50
const LOCAL_MARK = 0x04034b50
/** Bytes of the end record with the longest comment, whose length has two bytes. */
const LONGEST_END = 22 + 0xffff

const broken = () => new ListFault('the workbook is damaged: it is no whole archive')

/** The parts of a zip (APPNOTE 6.3.10, without ZIP64 and encryption), in the order of its directory. */
export function readZip(bytes: Uint8Array<ArrayBuffer>, budget: Budget): readonly ZipPart[] {
  try {
    return partsOf(bytes, budget)
  } catch (error) {
    if (error instanceof RangeError) throw broken()
    throw error
  }
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
    const part = {
      name: new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + nameSize)),
      entry: bytes.slice(at, entryEnd),
      // A descriptor of 12 or 16 bytes follows where the sizes were not known in time.
      local: bytes.subarray(local, from + size + ((flags & 8) === 0 ? 0 : descriptorAt(view, from + size))),
      packed: bytes.subarray(from, from + size),
      isDeflated: method === 8,
      budget,
    }
    at = entryEnd
    return part
  })
}

const descriptorAt = (view: DataView, at: number): number =>
  view.getUint32(at, true) === 0x08074b50 ? 16 : 12

/** The text of a part, piece by piece; throws {@link ListFault} if it is damaged or the budget is spent. */
export async function* textOf({ packed, isDeflated, budget }: ZipPart): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const source = new Blob([packed]).stream()
  const reader = (
    isDeflated ? source.pipeThrough(new DecompressionStream('deflate-raw')) : source
  ).getReader()
  try {
    for (;;) {
      const { value, done } = await reader.read()
      if (done) break
      budget.take('unpacked', value.length)
      yield decoder.decode(value, { stream: true })
      await budget.turn()
    }
    yield decoder.decode()
  } catch (error) {
    if (error instanceof ListFault) throw error
    throw broken()
  } finally {
    void reader.cancel().catch(() => undefined)
  }
}
