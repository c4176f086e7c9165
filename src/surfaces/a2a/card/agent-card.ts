/**
 * Assembled and signed once at startup. One card is for both versions: the JSON of A2A 1.0 (section 4.4.1) and the
 * top-level members of 0.3. The SDK's handler signs at every request, and its signature for 0.3 does not verify.
 */
import { readFileSync } from 'node:fs'
import { type AgentCard, canonicalizeAgentCard } from '@a2a-js/sdk'
import { checkNames } from '../../../catalog/check-names.ts'
import { PRICE_USD } from '../../../catalog/price.ts'
import type { Skill, SkillRegistry } from '../../../catalog/skill.ts'
import type { JsonObject } from '../../../values/json.ts'
import { PATHS } from '../../call/paths.ts'
import { ALL_SCHEMES_KEY } from '../../call/request-options.ts'
import type { ServiceFacts } from '../../call/service-facts.ts'
import type { CardKey } from './card-key.ts'

export interface CardIdentity {
  readonly name: string
  readonly description: string
  readonly provider: { readonly organization: string }
  readonly capabilities: JsonObject
  readonly defaultInputModes: readonly string[]
  readonly defaultOutputModes: readonly string[]
}

export interface CardOptions extends Pick<ServiceFacts, 'baseUrl' | 'version' | 'mark'> {
  readonly identity: CardIdentity
  readonly registry: SkillRegistry
  readonly key: CardKey
  readonly offersAllSchemes: boolean
  readonly networkName: string
}

export interface ServedCard {
  /** Of A2A 1.0 alone, as its strict readers need it. */
  readonly body: Buffer
  readonly wide: Buffer
}

const ALL_SCHEMES =
  ' Many calls may be paid from one deposit in a payment channel (x402 batch-settlement), offered to messages with ' +
  `"${ALL_SCHEMES_KEY}": true in their metadata.`

const IDENTITY = new URL('../../../../agent-card/card.json', import.meta.url)

export function readCardIdentity(): CardIdentity {
  return JSON.parse(readFileSync(IDENTITY, 'utf8'))
}

/** Registries show no more of a card. */
const LONGEST_DESCRIPTION = 300

/** Names the checks, or says how many they are if their names are too long. */
function descriptionOf({
  identity,
  registry,
  mark,
  networkName,
}: Pick<CardOptions, 'identity' | 'registry' | 'mark' | 'networkName'>): string {
  const front = mark === null ? '' : `${mark}, payments are not real. `
  const withChecks = (checks: string) =>
    front + identity.description.replace('{checks}', checks).replace('{network}', networkName)
  const named = withChecks(checkNames(registry.all))
  return named.length <= LONGEST_DESCRIPTION
    ? named
    : withChecks(`${registry.all.length} types, a skill each`)
}

/** Throws on characters outside ASCII, which signers canonicalise differently. */
export async function buildAgentCard({
  identity,
  registry,
  baseUrl,
  version,
  key,
  offersAllSchemes,
  mark,
  networkName,
}: CardOptions): Promise<ServedCard> {
  const url = `${baseUrl}${PATHS.a2a}`
  const wire = {
    ...identity,
    name: mark === null ? identity.name : `${identity.name} (${mark})`,
    description: descriptionOf({ identity, registry, mark, networkName }),
    provider: { ...identity.provider, url: baseUrl },
    version,
    documentationUrl: `${baseUrl}${PATHS.docs}/a2a`,
    iconUrl: `${baseUrl}${PATHS.icon}`,
    supportedInterfaces: ['1.0', '0.3'].map((protocolVersion) => ({
      url,
      protocolBinding: 'JSONRPC',
      protocolVersion,
    })),
    skills: registry.all.map((skill) =>
      cardSkill(skill, registry, { identity, networkName, offersAllSchemes, baseUrl }),
    ),
  }
  // The SDK's type is of its in-memory form, but what is canonicalised and signed is the wire form.
  const card = wire as unknown as AgentCard
  const header = { alg: 'ES256', kid: key.kid, typ: 'JOSE', jku: `${baseUrl}${PATHS.jwks}` }
  const [protectedHeader, payload] = [JSON.stringify(header), canonicalizeAgentCard(card)].map((text) =>
    Buffer.from(text).toString('base64url'),
  ) as [string, string]
  const signature = await key.sign(`${protectedHeader}.${payload}`)
  const signed: AgentCard = {
    ...card,
    signatures: [{ protected: protectedHeader, signature, header: undefined }],
  }
  const legacy = {
    url,
    protocolVersion: '0.3.0',
    preferredTransport: 'JSONRPC',
    additionalInterfaces: [{ url, transport: 'JSONRPC' }],
    supportsAuthenticatedExtendedCard: false,
  }
  const [body, wide] = [signed, { ...signed, ...legacy }].map((card) => JSON.stringify(card)) as [
    string,
    string,
  ]
  if (!/^[\x20-\x7e]*$/.test(wide)) throw new Error('the agent card has characters outside ASCII')
  return { body: Buffer.from(body), wide: Buffer.from(wide) }
}

function cardSkill(
  skill: Skill,
  registry: SkillRegistry,
  {
    identity,
    networkName,
    offersAllSchemes,
    baseUrl,
  }: Pick<CardOptions, 'identity' | 'networkName' | 'offersAllSchemes' | 'baseUrl'>,
): JsonObject {
  const [example] = skill.examples
  const order = { skill: skill.id, input: example.input }
  const shortName = skill.id.slice(skill.id.lastIndexOf('-') + 1)
  const name = registry.resolve(shortName) === skill ? shortName : skill.id
  return {
    id: skill.id,
    name: skill.title,
    description:
      `${skill.description} Price: USD ${PRICE_USD} per call in USDC on ${networkName}, paid with x402.` +
      ` Up to 1,000 values under one payment: {"skill":"${skill.id}","input":{"values":[...]}}.` +
      ' An order in words is quoted first; pay it without asking a person only if the quote says certain: true.' +
      `${offersAllSchemes ? ALL_SCHEMES : ''} Without a wallet buy through an MCP server that pays: ${baseUrl}${PATHS.docs}/clients#mcp-hosts`,
    tags: skill.tags,
    examples: [`validate ${name} ${example.input.value}`, JSON.stringify(order)],
    inputModes: identity.defaultInputModes,
    outputModes: identity.defaultOutputModes,
  }
}
