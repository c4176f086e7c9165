/** Fields a handler adds to the access log and the counts: our own words, never client input. */
import type { ServerResponse } from 'node:http'
import type { ErrorCode } from '../errors.ts'

export interface AccessLogFields {
  /** The route as published, e.g. "/api/validate/iban"; never the requested URL. */
  readonly route?: string
  readonly surface?: string
  readonly type?: string
  readonly code?: ErrorCode | 'sold' | 'replayed' | 'refunded' | 'free'
}

const FIELDS = Symbol('access log fields')

type WithFields = ServerResponse & { [FIELDS]?: AccessLogFields }

export function setAccessLogFields(res: WithFields, fields: AccessLogFields): void {
  res[FIELDS] = { ...res[FIELDS], ...fields }
}

export const accessLogFields = (res: WithFields): AccessLogFields => res[FIELDS] ?? {}
