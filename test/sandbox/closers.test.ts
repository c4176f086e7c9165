import { expect, test } from 'vitest'
import { type Closers, openAll } from '../../src/sandbox/closers.ts'

function openTwo(closers: Closers, closed: string[]): void {
  closers.add(() => void closed.push('first'))
  closers.add(async () => void closed.push('second'))
}

test('what was opened is closed once, the last first', async () => {
  const closed: string[] = []
  const closers = await openAll(async (opened) => {
    openTwo(opened, closed)
    return opened
  })
  expect(closed).toEqual([])
  await closers.close()
  await closers.close()
  expect(closed).toEqual(['second', 'first'])
})

test('a failed start closes what it opened and throws its own error', async () => {
  const closed: string[] = []
  const starting = openAll(async (opened) => {
    openTwo(opened, closed)
    opened.add(() => {
      throw new Error('does not close')
    })
    throw new Error('does not open')
  })
  await expect(starting).rejects.toThrow('does not open')
  expect(closed).toEqual(['second', 'first'])
})

test('one that does not close keeps nothing else open, and its error is thrown', async () => {
  const closed: string[] = []
  const closers = await openAll(async (opened) => {
    openTwo(opened, closed)
    opened.add(() => Promise.reject(new Error('does not close')))
    return opened
  })
  await expect(closers.close()).rejects.toThrow('does not close')
  expect(closed).toEqual(['second', 'first'])
})
