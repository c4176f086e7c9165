/**
 * What a handler says about its own answer, for the access log and the counts.
 *
 * The members are a closed list of our own words; nothing a client sent may be put into one.
 */
import type { ServerResponse } from 'node:http'
import type { ErrorCode } from '../errors.ts'

export interface AccessLogFields {
  /** The route as published, e.g. "/api/validate/iban"; never the URL that was asked for. */
  readonly route?: string
  readonly surface?: string
  /** The check type, where the route names one. */
  readonly type?: string
  readonly code?: ErrorCode | 'sold' | 'replayed' | 'free'
}

const FACTS = Symbol('facts')

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

interface Noted {
  [FACTS]?: Mutable<AccessLogFields>
}

/** Adds facts to an answer; later ones replace earlier ones of the same name. */
export function setAccessLogFields(res: ServerResponse, facts: AccessLogFields): void {
  const noted: ServerResponse & Noted = res
  const before = noted[FACTS]
  if (before === undefined) noted[FACTS] = { ...facts }
  else Object.assign(before, facts)
}

/** The facts noted so far. */
export function accessLogFields(res: ServerResponse): AccessLogFields {
  const noted: ServerResponse & Noted = res
  return noted[FACTS] ?? {}
}
