import { expect, test } from 'vitest'
import { createProgress } from '../../src/cli/progress.ts'

function stream(isTTY: boolean) {
  const written: string[] = []
  const write = (text: string) => written.push(text) > 0
  return { written, stream: { isTTY, write } as unknown as NodeJS.WriteStream }
}

test('on a terminal one line is written over, and gone at the end', () => {
  const { written, stream: terminal } = stream(true)
  const progress = createProgress(terminal)
  progress.show('1 line', 1)
  progress.show('2 lines', 2)
  progress.end()
  expect(written).toEqual(['\r1 line\u001b[K', '\r2 lines\u001b[K', '\r\u001b[K'])
})

test('elsewhere a line for every hundred steps', () => {
  const { written, stream: file } = stream(false)
  const progress = createProgress(file)
  for (let count = 1; count <= 250; count++) progress.show(`${count} lines`, count)
  progress.end()
  expect(written).toEqual(['100 lines\n', '200 lines\n'])
})
