/** Fields a handler adds to the access log and the counts: a closed list of our own words, never client input. */
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

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

interface WithFields {
  [FIELDS]?: Mutable<AccessLogFields>
}

/** Adds fields to a response; a later value replaces an earlier one of the same name. */
export function setAccessLogFields(res: ServerResponse, fields: AccessLogFields): void {
  const target: ServerResponse & WithFields = res
  const before = target[FIELDS]
  if (before === undefined) target[FIELDS] = { ...fields }
  else Object.assign(before, fields)
}

export function accessLogFields(res: ServerResponse): AccessLogFields {
  const target: ServerResponse & WithFields = res
  return target[FIELDS] ?? {}
}
