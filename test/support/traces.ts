import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Finds traces of a value in written output: as it is, in any case of letters, escaped, in hexadecimal,
 * in UTF-16, in base64 at any offset, or as a digest without a key, which a reader who guesses the value could look up.
 */
export function traceFinder(value: string): (text: string | Buffer) => string[] {
  const bytes = Buffer.from(value)
  const digests = ['sha256', 'sha1', 'md5'].map((name) => createHash(name).update(value).digest())
  const exact: [string, Buffer][] = [
    ['UTF-16', Buffer.from(value, 'utf16le')],
    ...digests.map((digest): [string, Buffer] => ['a digest', digest]),
    ...digests.map((digest): [string, Buffer] => [
      'a digest',
      Buffer.from(digest.toString('base64').slice(0, -2)),
    ]),
    ...[0, 1, 2].flatMap((offset) =>
      base64At(bytes, offset).map((text): [string, Buffer] => ['base64', Buffer.from(text)]),
    ),
  ]
  const folded: [string, string][] = [
    ['the value', value.toLowerCase()],
    ['the value without separators', value.toLowerCase().replace(/[\s.-]/g, '')],
    ['the value percent-encoded', encodeURIComponent(value).toLowerCase()],
    ['hexadecimal', bytes.toString('hex')],
    ...digests.map((digest): [string, string] => ['a digest', digest.toString('hex')]),
  ]
  return (text) => {
    const haystack = Buffer.from(text)
    const lower = haystack.toString('latin1').toLowerCase()
    return [
      ...exact.filter(([, needle]) => haystack.includes(needle)).map(([name]) => name),
      ...folded.filter(([, needle]) => lower.includes(needle)).map(([name]) => name),
    ]
  }
}

/** The letters that stand for the value in any base64 text that has it at that offset, in both alphabets. */
function base64At(bytes: Buffer, offset: number): string[] {
  const whole = Buffer.concat([Buffer.alloc(offset), bytes])
    .toString('base64')
    .replace(/=+$/, '')
  const certain = whole.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6))
  return [certain, certain.replaceAll('+', '-').replaceAll('/', '_')]
}

/** Every file below a directory, with its bytes. Links are not followed: they lead to what others write. */
export function filesBelow(directory: string): [path: string, bytes: Buffer][] {
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry): [string, Buffer][] => {
    const path = join(directory, entry.name)
    if (entry.isDirectory()) return filesBelow(path)
    return entry.isFile() ? [[path, readFileSync(path)]] : []
  })
}
