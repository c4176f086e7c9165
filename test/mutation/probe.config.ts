/** Runs the suites with a probe in every function of the service and of the packages: which test file reaches which function. */
import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { defineConfig } from 'vitest/config'
import base from '../../vitest.config.ts'
import { functionsOf } from './operators.ts'

const ROOT = join(import.meta.dirname, '../..')
const { projects = [], ...common } = base.test ?? {}

const probes = {
  name: 'probes',
  enforce: 'pre' as const,
  transform(_: string, id: string) {
    const path = relative(ROOT, id)
    if (!/^(?:src|packages\/\w+\/src)\/.*\.ts$/.test(path)) return null
    // Node's own reading of a module, not what another plugin made of it: the offsets are those of the file.
    let source = readFileSync(id, 'utf8')
    const edits = functionsOf(path, source).flatMap(({ start, end, isBlock }) => {
      const probe = `globalThis.reached?.add('${path}:${start}')`
      return isBlock
        ? [{ at: start + 1, text: `${probe};` }]
        : [
            { at: start, text: `(${probe}, ` },
            { at: end, text: ')' },
          ]
    })
    for (const { at, text } of edits.sort((one, other) => other.at - one.at))
      source = source.slice(0, at) + text + source.slice(at)
    return source
  },
}

export default defineConfig({
  root: ROOT,
  test: {
    ...common,
    reporters: ['dot'],
    projects: projects.map((project) => {
      const { test } = project as { test: object }
      const probed = {
        ...test,
        fsModuleCache: false,
        setupFiles: [join(import.meta.dirname, 'probe-setup.ts')],
      }
      return { root: ROOT, plugins: [probes], test: probed }
    }),
  },
})
