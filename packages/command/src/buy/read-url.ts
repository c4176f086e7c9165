import { UsageError } from '../../../../src/command-line/usage-error.ts'

/** With its path and credentials, which may hold a key: never printed. */
export const readRpcUrl = (text: string | undefined): string | null =>
  text === undefined ? null : parseUrl(text, '--rpc-url').href

/** The address of a service without path and query, which are not used; messages and files repeat it. */
export function readUrl(text: string): string {
  const url = parseUrl(text, '--url')
  if (url.username !== '' || url.password !== '') throw new UsageError('--url must have no user or password')
  return `${url.origin}/`
}

function parseUrl(text: string, option: string): URL {
  const url = URL.parse(text)
  if (url !== null && /^https?:$/.test(url.protocol)) return url
  throw new UsageError(`${option} must be an absolute URL, e.g. http://127.0.0.1:4021`)
}
