import { expect, test } from 'vitest'
import type { Log } from '../../../src/log.ts'
import { noteCoreFiles, noteOpenFiles } from '../../../src/main/live/note-machine.ts'

/** What the start logs with so many connections where the system says this of itself. */
function linesFor(mostConnections: number, read: () => string): readonly object[] {
  const lines: object[] = []
  const log: Log = { info: () => {}, error: () => {}, warn: (entry) => void lines.push(entry) }
  noteOpenFiles({ mostConnections }, log, read)
  return lines
}

const limits = (hard: string) => () =>
  [
    'Limit                     Soft Limit           Hard Limit           Units     ',
    'Max core file size        0                    unlimited            bytes     ',
    `Max open files            1024                 ${hard.padEnd(20)} files     `,
  ].join('\n')

test('a limit of open files that leaves too few for MAX_CONNECTIONS is named in one line', () => {
  const line = (count: number) => [{ event: 'open_files_limited', setting: 'MAX_CONNECTIONS', count }]
  expect(linesFor(10_000, limits('4096'))).toEqual(line(4096))
  expect(linesFor(10_000, limits('10000'))).toEqual(line(10_000))
  expect(linesFor(10_000, limits('10256'))).toEqual([])
  expect(linesFor(10_000, limits('unlimited'))).toEqual([])
})

test('nothing is said without a limit of connections, or where the system does not tell its own', () => {
  expect(linesFor(0, limits('4096'))).toEqual([])
  const silent = () => {
    throw new Error('no such file')
  }
  expect(linesFor(10_000, silent)).toEqual([])
})

test.each([
  ['0                    unlimited', 0],
  ['unlimited            unlimited', 1],
  ['1024                 1024', 1],
])('a core file that a crash could leave is named in one line: %s', (limits, count) => {
  const lines: object[] = []
  const log: Log = { info: () => {}, error: () => {}, warn: (entry) => void lines.push(entry) }
  noteCoreFiles(
    log,
    () => `Max core file size        ${limits}            bytes     \nMax open files 1 2 files`,
  )
  expect(lines).toEqual(Array.from({ length: count }, () => ({ event: 'core_files_allowed' })))
})

test('nothing is said of core files where the system does not tell', () => {
  const log: Log = { info: () => {}, error: () => {}, warn: () => expect.unreachable() }
  noteCoreFiles(log, () => '')
  noteCoreFiles(log, () => {
    throw new Error('no such file')
  })
})
