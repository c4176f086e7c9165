import { readFileSync } from 'node:fs'

/** The version of the service description: the one in package.json, and nowhere else. */
export const VERSION: string = (
  JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }
).version
