/** Every example that the card or a skill publishes can be bought as it stands, in words and as a data part. */
import { afterAll, describe, expect, it } from 'vitest'
import { realRegistry } from '../../../support/registry.ts'
import { type Json, order, paying, sendRequest, taskOf, VERSIONS, verdictOf } from '../a2a-client.ts'
import { startA2aService } from '../a2a-service.ts'

const SKILLS = realRegistry().all

describe.each(VERSIONS)('a published example over %s', async (version) => {
  const service = await startA2aService()
  afterAll(() => service.close())

  const send = async (part: { text: string } | { data: unknown }): Promise<Json> => {
    const required = service.double.quote.single(SKILLS[0]!, 'a2a').required('payment_required')
    const message = { parts: [part], metadata: paying(required) }
    return (await service.post(sendRequest(version, message))).json
  }
  const buy = async (part: { text: string } | { data: unknown }): Promise<Json> =>
    verdictOf(taskOf(await send(part)))

  it.each(SKILLS)('of the card for $id gives the published result', async ({ id, examples }) => {
    const card = (await (await fetch(`${service.url}/.well-known/agent-card.json`)).json()) as Json
    const published = card.skills.find((skill: Json) => skill.id === id).examples
    expect(published).toHaveLength(2)
    for (const text of published) expect(await buy({ text })).toEqual(examples[0]?.output)
  })

  it.each(
    SKILLS.flatMap(({ id, examples }) =>
      examples.map(({ title, input, output }) => ({ id, title, input, output })),
    ),
  )('of $id ($title) gives one result in words and as a data part', async ({ id, input, output }) => {
    expect(await buy(order(id, input.value))).toEqual(output)
    const text = `validate ${id} ${input.value}`
    // A word like any other is no value: the text gets free help.
    if (/^[\p{L}.]*$/u.test(input.value)) expect(taskOf(await send({ text }))).toBeUndefined()
    else expect(await buy({ text })).toEqual(output)
  })
})
