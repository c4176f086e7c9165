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

/** Returns the archive with another text in one part; every other part stays byte for byte. */
export async function withPart(
  parts: readonly ZipPart[],
  changed: ZipPart,
  text: AsyncIterable<string>,
): Promise<Uint8Array<ArrayBuffer>> {
  const { crc, size, packed } = await pack(text)
  const locals: Uint8Array[] = []
  const entries: Uint8Array[] = []
  let offset = 0
  for (const part of parts) {
    const entry = part.entry.slice()
    const view = new DataView(entry.buffer)
    let local: Uint8Array = part.local
    if (part === changed) {
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
      local = joined([head, name, packed])
    }
    view.setUint32(42, offset, true)
    locals.push(local)
    entries.push(entry)
    offset += local.length
  }
  const directory = joined(entries)
  const end = new DataView(new ArrayBuffer(22))
  end.setUint32(0, 0x06054b50, true)
  end.setUint16(8, parts.length, true)
  end.setUint16(10, parts.length, true)
  end.setUint32(12, directory.length, true)
  end.setUint32(16, offset, true)
  return joined([...locals, directory, new Uint8Array(end.buffer)])
}
