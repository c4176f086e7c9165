import type { ServerResponse } from 'node:http'
import { dropHeader, sendJson } from '../../http/body/send.ts'

/** Ends the response with JSON that pages of other origins cannot read. */
export function sendToThisMachine(res: ServerResponse, json: object): void {
  dropHeader(res, 'Access-Control-Allow-Origin')
  sendJson(res, json, { headers: { 'Cross-Origin-Resource-Policy': 'same-origin' } })
}
