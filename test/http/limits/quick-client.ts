/** A process that asks over one kept connection, each request in the moment in which the answer before it is whole. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { answerReader } from '../../fuzz/read-answers.ts'

export interface QuickRequest {
  readonly method: string
  readonly bytes: string
}

const [[port, requests]] = (await once(process, 'message')) as [[number, readonly QuickRequest[]]]
const socket = connect({ port, host: '127.0.0.1', noDelay: true })
const statuses: number[] = []
const ask = () => socket.write(requests[statuses.length]?.bytes ?? '')
const reader = answerReader(
  () => requests[statuses.length]?.method,
  ({ status }) => {
    statuses.push(status)
    if (statuses.length < requests.length) ask()
    else socket.end()
  },
)
socket.on('data', (bytes: Buffer) => reader.read(bytes))
socket.on('error', () => {})
socket.on('connect', ask)
socket.on('close', () => process.send?.(statuses))
