import { joined } from '../first-bytes.ts'
import type { ZipPart } from './unzip.ts'

const GZIP_HEAD = 10
const GZIP_TAIL = 8

/** Packs a text. The CRC is taken from gzip's tail (RFC 1952, section 2.3.1), since browsers compute no other. */
async function pack(chunks: AsyncIterable<string>) {
  const texts: string[] = []
  for await (const chunk of chunks) texts.push(chunk)
  const stream = new Blob(texts).stream().pipeThrough(new CompressionStream('gzip'))
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer())
  const tail = new DataView(bytes.buffer, bytes.length - GZIP_TAIL)
  return {
    crc: tail.getUint32(0, true),
    size: tail.getUint32(4, true),
    packed: bytes.subarray(GZIP_HEAD, -GZIP_TAIL),
  }
}

export interface NewPart {
  readonly name: string
  readonly text: string
}

/** Returns the archive with other texts in some parts, and new ones at its end; every other part stays byte for byte. */
export async function withParts(
  parts: readonly ZipPart[],
  changed: ReadonlyMap<ZipPart, AsyncIterable<string>>,
  added: readonly NewPart[] = [],
): Promise<Uint8Array<ArrayBuffer>> {
  const locals: Uint8Array[] = []
  const entries: Uint8Array[] = []
  let offset = 0
  const add = (local: Uint8Array, entry: Uint8Array<ArrayBuffer>) => {
    new DataView(entry.buffer).setUint32(42, offset, true)
    locals.push(local)
    entries.push(entry)
    offset += local.length
  }
  const addPacked = async (entry: Uint8Array<ArrayBuffer>, text: AsyncIterable<string>) => {
    const { crc, size, packed } = await pack(text)
    const view = new DataView(entry.buffer)
    // The sizes are in front of the bytes, so no descriptor follows them.
    view.setUint16(8, view.getUint16(8, true) & ~8, true)
    view.setUint16(10, 8, true)
    view.setUint32(16, crc, true)
    view.setUint32(20, packed.length, true)
    view.setUint32(24, size, true)
    const name = entry.subarray(46, 46 + view.getUint16(28, true))
    const head = new Uint8Array(30)
    head.set([0x50, 0x4b, 3, 4])
    // Version, flags, method, time, CRC, sizes and the length of the name are the same in both places.
    head.set(entry.subarray(6, 30), 4)
    add(joined([head, name, packed]), entry)
  }
  for (const part of parts) {
    const text = changed.get(part)
    if (text === undefined) add(part.local, part.entry.slice())
    else await addPacked(part.entry.slice(), text)
  }
  for (const { name, text } of added) await addPacked(entryOf(name), only(text))
  const directory = joined(entries)
  const end = new DataView(new ArrayBuffer(22))
  end.setUint32(0, 0x06054b50, true)
  end.setUint16(8, entries.length, true)
  end.setUint16(10, entries.length, true)
  end.setUint32(12, directory.length, true)
  end.setUint32(16, offset, true)
  return joined([...locals, directory, new Uint8Array(end.buffer)])
}

async function* only(text: string): AsyncGenerator<string> {
  yield text
}

/** The entry of a new part, of 1 January 1980, whose sizes are not known yet. */
function entryOf(name: string): Uint8Array<ArrayBuffer> {
  const bytes = new TextEncoder().encode(name)
  const entry = new Uint8Array(46 + bytes.length)
  const view = new DataView(entry.buffer)
  view.setUint32(0, 0x02014b50, true)
  view.setUint16(4, 20, true)
  view.setUint16(6, 20, true)
  view.setUint16(14, 0x21, true)
  view.setUint16(28, bytes.length, true)
  entry.set(bytes, 46)
  return entry
}
