import { expect, test } from 'vitest'
import { createListProgress } from '../../src/list/list-progress.ts'

function stream(isTTY: boolean) {
  const written: string[] = []
  const write = (text: string) => written.push(text) > 0
  return { written, stream: { isTTY, write } as unknown as NodeJS.WriteStream }
}

test('rewrites one line on a terminal, from the start, and clears it at the end', () => {
  const { written, stream: terminal } = stream(true)
  const progress = createListProgress(terminal, { rows: 4, values: 3 }, 1_000n)
  progress.add(() => 0n)
  progress.end()
  expect(written[0]).toBe('\r0 of 4 rows, 0/s  0 USDC of at most 0.003 USDC\u001b[K')
  expect(written.at(-1)).toBe('\r\u001b[K')
})

test('writes nothing on a pipe', () => {
  const { written, stream: file } = stream(false)
  const progress = createListProgress(file, null, 1_000n)
  for (let count = 1; count <= 250; count++) progress.add(() => 0n)
  progress.end()
  expect(written).toEqual([])
})
