/** One flood as a process of its own: `flooder.ts PORT NAME`, until it is killed. */
import { connect, type Socket } from 'node:net'
import { termsOf } from '../load/recorded-answer.ts'
import { type Shape, shapesFor } from './shapes.ts'

const STATUS_LINE = 'HTTP/1.1 '
const AGAIN_MS = 100
const SIP_BYTES = 1_024
/** What is sent byte by byte. */
const TRICKLED_BYTES = 300

const [port, name] = [Number(process.argv[2]), process.argv[3]]
const [accepted] = (await termsOf(port)).accepts
if (accepted === undefined) throw new Error('nothing offered')
const shape = shapesFor(accepted).find((each) => each.name === name)
if (shape === undefined) throw new Error('no such flood')
for (let at = 0; at < shape.connections; at++) keepOne(shape, shape.bytesOf(at))
process.on('disconnect', () => process.exit())
process.send?.('flooding')

function keepOne(shape: Shape, bytes: Buffer): void {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  socket.on('error', () => {})
  const isAtOnce = shape.way === 'churned' || shape.way === 'halved'
  socket.on('close', () => setTimeout(() => keepOne(shape, bytes), isAtOnce ? 0 : AGAIN_MS))
  socket.on('connect', () => send(socket, shape, bytes))
}

function send(socket: Socket, { answers, way, piece }: Shape, bytes: Buffer): void {
  if (way === 'trickled') return void trickle(socket, bytes)
  if (piece !== undefined) return void repeat(socket, bytes, piece)
  if (way === 'halved') socket.end(bytes)
  else socket.write(bytes)
  if (way === 'unread' || way === 'sipped') socket.pause()
  if (way === 'sipped') slowly(socket, () => socket.read(SIP_BYTES))
  if (socket.isPaused()) return
  let seen = 0
  let tail = ''
  socket.on('data', (chunk) => {
    const text = tail + chunk.toString('latin1')
    seen += text.split(STATUS_LINE).length - 1
    tail = text.slice(-(STATUS_LINE.length - 1))
    if (seen < answers || way !== 'answered') return
    seen = 0
    socket.write(bytes)
  })
}

function trickle(socket: Socket, bytes: Buffer): void {
  let at = Math.max(0, bytes.length - TRICKLED_BYTES)
  socket.write(bytes.subarray(0, at))
  socket.resume()
  slowly(socket, () => {
    socket.write(bytes.subarray(at, at + 1))
    at = at + 1 < bytes.length ? at + 1 : 0
  })
}

function repeat(socket: Socket, bytes: Buffer, piece: Buffer): void {
  socket.write(bytes)
  socket.resume()
  const again = () => {
    if (socket.writable) socket.write(piece, () => setImmediate(again))
  }
  again()
}

function slowly(socket: Socket, act: () => void): void {
  const timer = setInterval(act, AGAIN_MS)
  socket.once('close', () => clearInterval(timer))
}
