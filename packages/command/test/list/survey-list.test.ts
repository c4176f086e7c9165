import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { scratchDir } from '../../../../test/support/service-process.ts'
import { openList } from '../../src/list/open-list-file.ts'
import { surveyList } from '../../src/list/survey-list.ts'

test('a member that comes late does not change the column between the survey and the purchase', async () => {
  const scratch = scratchDir()
  onTestFinished(() => scratch.remove())
  const file = join(scratch.path, 'late.jsonl')
  writeFileSync(file, `${`{"x":"${'7'.repeat(1000)}"}\n`.repeat(70)}{"x":"7","note":"late"}\n`)
  const { list, options } = await surveyList(file, { columns: [{ type: 'iban' }] }, 0)
  const again = await openList(file, options)
  expect(again.columns).toEqual(list.columns)
  expect(again.header).toEqual(['x', 'note'])
  again.close()
})
