import { expect, test } from 'vitest'
import { createProgress } from '../../../src/cli/command-line/progress.ts'

function stream(isTTY: boolean) {
  const written: string[] = []
  const write = (text: string) => written.push(text) > 0
  return { written, stream: { isTTY, write } as unknown as NodeJS.WriteStream }
}

test('rewrites one line on a terminal, and clears it at the end', () => {
  const { written, stream: terminal } = stream(true)
  const progress = createProgress(terminal)
  progress.show('1 line')
  progress.show('2 lines')
  progress.end()
  expect(written).toEqual(['\r1 line\u001b[K', '\r2 lines\u001b[K', '\r\u001b[K'])
})

test('writes nothing on a pipe', () => {
  const { written, stream: file } = stream(false)
  const progress = createProgress(file)
  for (let count = 1; count <= 250; count++) progress.show(`${count} lines`)
  progress.end()
  expect(written).toEqual([])
})
