import { expect, it } from 'vitest'
import type { DocumentContext } from '../../../src/surfaces/documents/document-context.ts'
import { ownFacilitator } from '../../../src/surfaces/documents/texts/own-facilitator.ts'
import { securityTxt } from '../../../src/surfaces/documents/web/security-txt.ts'

const baseUrl = 'https://checks.example'
const facts = (facilitator: string, contactEmail: string | null = null) =>
  ({ baseUrl, listing: { facilitator }, contactEmail, startedAt: 0 }) as unknown as DocumentContext

it('a service that settles itself says so at the address its listing names', () => {
  const [page] = ownFacilitator(facts(`${baseUrl}/facilitator`))
  expect(page).toMatchObject({ route: '/facilitator' })
})

it('no such page stands where another facilitator settles', () => {
  expect(ownFacilitator(facts('https://facilitator.example'))).toEqual([])
})

it('the operator’s address is published where one is given', () => {
  expect(securityTxt(facts('', 'ops@checks.example')).body).toContain('Contact: mailto:ops@checks.example')
  expect(securityTxt(facts('')).body).toContain(`Contact: ${baseUrl}/`)
})
