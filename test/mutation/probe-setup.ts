import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect } from 'vitest'

const reached = new Set<string>()
Object.assign(globalThis, { reached })
const begun = performance.now()

afterAll(() => {
  const folder = process.env.REACHED
  const { testPath } = expect.getState()
  if (folder === undefined || testPath === undefined) return
  const ms = Math.round(performance.now() - begun)
  const name = testPath.replaceAll(/\W/g, '-')
  writeFileSync(join(folder, name), JSON.stringify({ testPath, ms, functions: [...reached] }))
})
