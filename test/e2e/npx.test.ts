import { expect, test } from 'vitest'
import { outcomeOf } from '../support/command.ts'
import { validValue } from '../support/identifiers.ts'
import { scratchDir } from '../support/service-process.ts'
import { filesBelow, traceFinder } from '../support/traces.ts'

test('a value that npx passes on is in no log of npm, which keeps the arguments of the last ten commands', async () => {
  const scratch = scratchDir()
  const value = validValue('pl-pesel', 4711)
  const outcome = await outcomeOf(['--no', 'format-checker', 'try', 'pl-pesel', value], {
    program: 'npx',
    env: { HOME: scratch.path, npm_config_update_notifier: 'false' },
  })
  expect(outcome).toMatchObject({ code: 0, stdout: expect.arrayContaining(['  "valid": true,']) })
  const find = traceFinder(value)
  const found = filesBelow(scratch.path).filter(([, bytes]) => find(bytes).length > 0)
  scratch.remove()
  expect(found.map(([path]) => path)).toEqual([])
})
