import type { Credentials } from './http-facilitator.ts'

/** The same bearer token for every path (RFC 6750). */
export function bearerCredentials(token: string): Credentials {
  const headers = { authorization: `Bearer ${token}` }
  return async () => headers
}
