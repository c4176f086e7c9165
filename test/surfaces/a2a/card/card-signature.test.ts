/** The card's signature as a verifier checks it that has no SDK of A2A: canonical JSON and a JOSE library. */
import { canonicalize } from '@x402/extensions/offer-receipt'
import { flattenedVerify } from 'jose'
import { expect, it } from 'vitest'
import { startA2aService } from '../a2a-service.ts'

it('holds over the members of 1.0 as they were served, without defaults', async () => {
  const service = await startA2aService()
  const {
    signatures: [signature],
    url,
    protocolVersion,
    preferredTransport,
    additionalInterfaces,
    supportsAuthenticatedExtendedCard,
    ...members
  } = await (await fetch(`${service.url}/.well-known/agent-card.json`)).json()
  await service.close()
  for (const extension of members.capabilities.extensions)
    if (extension.required === false) delete extension.required
  const payload = Buffer.from(canonicalize(members)).toString('base64url')
  const [jwk] = service.key.jwks.keys
  await expect(flattenedVerify({ ...signature, payload }, { ...jwk })).resolves.toBeDefined()
})
