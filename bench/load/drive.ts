/**
 * Drives one server: a number of kept-alive connections, each with one request under way at a time, for a time or
 * until the requests are used up.
 */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { httpRequest } from './http-request.ts'
import { responseReader } from './response-reader.ts'

/**
 * The next request of a connection, by its number, whole, with the response to the one before; undefined when there are
 * no more.
 */
export type Next = (connection: number, response?: Buffer) => Buffer | undefined

export interface Drive {
  readonly port: number
  readonly connections: number
  /** Stops asking after this time. */
  readonly milliseconds: number
  readonly next: Next
  /** Status that counts as an answer; any other is an error. */
  readonly expected: number
}

export interface Driven {
  readonly answered: number
  /** Answers by status where it was not the expected one. */
  readonly others: Readonly<Record<string, number>>
  readonly seconds: number
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
}

/** Rejects when a connection breaks. */
export async function drive(options: Drive): Promise<Driven> {
  const { port, connections, milliseconds, expected, next } = options
  const times: number[] = []
  const others: Record<string, number> = {}
  const sockets = await Promise.all(Array.from({ length: connections }, () => open(port)))
  const begun = performance.now()
  const until = begun + milliseconds

  const lane = (socket: Socket, connection: number) =>
    new Promise<void>((resolve, reject) => {
      let sentAt = 0
      const ask = (response?: Buffer) => {
        const request = performance.now() < until ? next(connection, response) : undefined
        if (request === undefined) {
          resolve()
          return
        }
        sentAt = performance.now()
        socket.write(request)
      }
      const read = responseReader((status, response) => {
        if (status === expected) times.push(performance.now() - sentAt)
        else others[status] = (others[status] ?? 0) + 1
        ask(response)
      })
      socket.on('data', read).on('error', reject)
      socket.on('close', () => reject(new Error('the server closed a connection')))
      ask()
    })

  await Promise.all(sockets.map(lane))
  const seconds = (performance.now() - begun) / 1000
  for (const socket of sockets) socket.removeAllListeners('close').destroy()
  times.sort((a, b) => a - b)
  return { answered: times.length, others, seconds, p50: quantile(times, 0.5), p99: quantile(times, 0.99) }
}

const HELLO = httpRequest({ method: 'GET', path: '/hello' })

/**
 * Resolves once the server has answered on the connection, anything. Node accepts one connection in each turn of its loop: of
 * 32 that come at once the last waits for 32 turns, which is no part of a call.
 */
async function open(port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  await once(socket, 'connect')
  socket.write(HELLO)
  await new Promise<void>((resolve) => {
    const read = responseReader(() => {
      socket.off('data', read)
      resolve()
    })
    socket.on('data', read)
  })
  return socket
}

/** Of sorted numbers; 0 for an empty list. */
function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}
