import { gunzipSync, gzipSync } from 'node:zlib'
import type { Verdict } from '../../../../src/checks/verdict.ts'

/** A thousand results are 700 kB. */
const MOST_BYTES = 16 * 1024 * 1024

/** Packs results as they are kept: gzipped, base64. */
export const packResults = (results: readonly Verdict[]): string =>
  gzipSync(JSON.stringify(results)).toString('base64')

/** Throws for anything else, and for more than 16 MB. */
export const unpackResults = (packed: string): unknown =>
  JSON.parse(gunzipSync(Buffer.from(packed, 'base64'), { maxOutputLength: MOST_BYTES }).toString())
