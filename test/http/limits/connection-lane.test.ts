import { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { parseInPieces } from '../../../src/http/limits/connection-lane.ts'

test('reads no more of a connection whose turn has not come, so that what waits is bounded', () => {
  const parsed: number[] = []
  const socket = new Socket()
  socket.on('data', (bytes) => void parsed.push(bytes.length)).on('end', () => {})
  let turn = () => false
  parseInPieces(
    socket,
    4,
    ({ parse }) => {
      turn = parse
    },
    () => {},
  )
  socket.emit('data', Buffer.alloc(3_000))
  expect([parsed, socket.isPaused()]).toEqual([[], true])
  while (turn());
  expect([parsed, socket.isPaused()]).toEqual([[1_024, 1_024, 952], false])
  socket.destroy()
})
