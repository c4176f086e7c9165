/** Writes answers. No cache may keep one: the same request may be answered with a verdict once it is paid for. */
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { setAccessLogFields } from '../../http/access-log-fields.ts'
import { headerList, preparedBody, sendBody } from '../../http/body/send.ts'
import type { Answer } from './eras.ts'
import type { Refusal } from './refusal.ts'

export function send(res: ServerResponse, { status, contentType, body }: Answer): void {
  write(res, status, body, contentType === null ? {} : { 'Content-Type': contentType })
}

export function refuse(res: ServerResponse, { status, code, body, headers }: Refusal): void {
  if (code !== undefined) setAccessLogFields(res, { code })
  write(res, status, body, { 'Content-Type': 'application/json', ...headers })
}

function write(res: ServerResponse, status: number, body: string, headers: OutgoingHttpHeaders): void {
  sendBody(res, status, headerList({ ...headers, 'Cache-Control': 'no-store' }), preparedBody(body))
}
