import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openLogOutput } from '../../src/main/log-output.ts'
import { type ScratchDir, scratchDir } from '../support/service-process.ts'

let scratch: ScratchDir
let path: string
beforeEach(() => {
  scratch = scratchDir()
  path = join(scratch.path, 'log')
})
afterEach(() => scratch.remove())

const lines = Array.from({ length: 200 }, (_, index) => `line ${index}\n`)

test('lines are written in order', async () => {
  const fd = openSync(path, 'w')
  const write = openLogOutput(fd)
  for (const line of lines) write(line)
  await expect.poll(() => readFileSync(path, 'utf8')).toBe(lines.join(''))
  closeSync(fd)
})

test('lines that the log refuses wait until it takes them', async () => {
  closeSync(openSync(path, 'w'))
  // A descriptor for reading refuses every write; then its number is given to one that takes them.
  const fd = openSync(path, 'r')
  const write = openLogOutput(fd)
  for (const line of lines) write(line)
  await sleep(150)
  closeSync(fd)
  const opened = [openSync(path, 'a')]
  while (opened.at(-1) !== fd) opened.push(openSync(path, 'a'))
  await expect.poll(() => readFileSync(path, 'utf8')).toBe(lines.join(''))
  for (const each of opened) closeSync(each)
})
