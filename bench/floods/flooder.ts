/** One flood as a process of its own: `flooder.ts PORT NAME`, until it is killed. */
import { connect, type Socket } from 'node:net'
import { SHAPES, type Shape } from './shapes.ts'

const STATUS_LINE = 'HTTP/1.1 '
const AGAIN_MS = 100

const [port, name] = [Number(process.argv[2]), process.argv[3]]
const shape = SHAPES.find((each) => each.name === name)
if (shape === undefined) throw new Error('no such flood')
for (let left = shape.connections; left > 0; left--) keepOne(shape)
process.on('disconnect', () => process.exit())
process.send?.('flooding')

function keepOne(shape: Shape): void {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  socket.on('error', () => {})
  socket.on('close', () => setTimeout(() => keepOne(shape), shape.way === 'churned' ? 0 : AGAIN_MS))
  socket.on('connect', () => send(socket, shape))
}

function send(socket: Socket, { bytes, answers, way }: Shape): void {
  socket.write(bytes)
  if (way === 'unread') return void socket.pause()
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
