import { expect, it } from 'vitest'
import type { DocumentContext } from '../../../src/surfaces/documents/document-context.ts'
import { securityTxt } from '../../../src/surfaces/documents/web/security-txt.ts'

const baseUrl = 'https://checks.example'
const bodyFor = (contactEmail: string | null) =>
  securityTxt({
    baseUrl,
    operator: { contactEmail },
    source: null,
    startedAt: 0,
  } as unknown as DocumentContext).body

it('the operator’s address is published where one is given', () => {
  expect(bodyFor('ops@checks.example')).toContain('Contact: mailto:ops@checks.example')
  expect(bodyFor(null)).toContain(`Contact: ${baseUrl}/`)
})
