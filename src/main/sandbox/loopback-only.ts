import type { ServerResponse } from 'node:http'
import { sendJson } from '../../http/body/send.ts'

/** Ends the response with JSON that pages of other origins cannot read. */
export function sendToThisMachine(res: ServerResponse, json: object): void {
  res.removeHeader('Access-Control-Allow-Origin')
  res.setHeader('Cross-Origin-Resource-Policy', 'same-origin')
  sendJson(res, json)
}
