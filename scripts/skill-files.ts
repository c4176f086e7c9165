/** The files of `skills/` that follow from a check's profile and its `skill.json`, which alone is written by hand. */
import { readFileSync } from 'node:fs'
import { PROFILES } from 'format-checker-checks'
import { codesOf, HINTS, WARNINGS } from 'format-checker-checks/hints'
import { CHECKS } from 'format-checker-checks/internal/checks'
import type { Profile, Schema } from 'format-checker-checks/internal/profile'
import { CHECK_TYPES, type CheckType } from 'format-checker-checks/verdict'
import { PRICE_USD } from '../src/catalog/price.ts'
import { resultWords } from '../src/catalog/result-words.ts'
import type { SkillFile } from '../src/catalog/skill.ts'
import { adviceTable, sourceList } from './skill-tables.ts'

/** By path from the project's root. */
export const skillFiles = (): ReadonlyMap<string, string> => new Map(CHECK_TYPES.flatMap(filesOf))

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

function filesOf(type: CheckType): readonly (readonly [string, string])[] {
  const folder = `skills/${type}`
  const file: SkillFile = JSON.parse(
    readFileSync(new URL(`../${folder}/skill.json`, import.meta.url), 'utf8'),
  )
  const examples = Object.entries(file.examples).map(([title, value]) => ({
    title,
    input: { value },
    output: CHECKS[type](value),
  }))
  return [
    [`${folder}/SKILL.md`, skillPage(type, file)],
    [`${folder}/assets/advice.md`, `${advice(type, file)}\n`],
    [`${folder}/assets/input.schema.json`, json(inputSchema(file))],
    [`${folder}/assets/output.schema.json`, json(outputSchema(type))],
    [`${folder}/assets/examples.json`, json(examples)],
  ]
}

const object = (properties: object, required = Object.keys(properties)) => ({
  type: 'object',
  properties,
  required,
})

const inputSchema = ({ input }: SkillFile) => ({
  ...object({ value: { type: 'string', maxLength: 512, description: input } }),
  additionalProperties: false,
})

/** A word of a list that later versions may extend: a client that validates must accept other words. */
const word = (known: readonly string[]) => ({ type: 'string', examples: known })

/** Takes every verdict that the check can give, and those of later versions with more members, codes, hints and warnings. */
export function outputSchema(type: CheckType) {
  const { ruleset, mask, normalization, codes, facts }: Profile = PROFILES[type]
  const common = {
    code: { ...word(Object.keys(codes)), description: 'Machine-readable reason; ok exactly when valid.' },
    ruleset: { ...word([ruleset]), description: 'Edition of the rules behind this verdict.' },
    normalization: {
      type: 'array',
      items: word(normalization),
      uniqueItems: true,
      description: 'What was done to the value before it was judged.',
    },
    layers: object({
      format: layer('Length, characters, structure.'),
      checksum: layer('Check digits that decide.'),
      nationalCheck: layer('Check digits that are reported only.'),
      registry: { const: 'not_checked', description: 'No register is ever asked.' },
    }),
    notChecked: {
      type: 'array',
      items: { type: 'string' },
      description: 'What this verdict does not say.',
    },
    warnings: warningsSchema(codesOf(WARNINGS, type)),
  }
  const hint = {
    ...word(codesOf(HINTS, type)),
    description: 'How to mend the value; each code is explained in SKILL.md.',
  }
  const details = { ...common, hint, ...mapped(facts) }
  return object({
    type: { const: type, description: 'The check type.' },
    valid: { type: 'boolean', description: 'Outcome of the check.' },
    normalized: {
      type: ['string', 'null'],
      pattern: mask.pattern,
      description: `Masked form of a valid value (${mask.words}); null when invalid.`,
    },
    reason: { type: 'string', minLength: 1, description: 'One English sentence that explains the outcome.' },
    details: object(details, Object.keys(common)),
  })
}

const layer = (description: string) => ({
  enum: ['passed', 'failed', 'not_checked', 'not_applicable'],
  description,
})

const warningsSchema = (codes: readonly string[]) => ({
  type: 'array',
  items: word(codes),
  description: `Reservations that do not change the verdict${codes.length === 0 ? '' : '; each code is explained in SKILL.md'}.`,
})

const mapped = (schemas: Readonly<Record<string, Schema>>) =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, whole(schema)]))

/** With the keywords that a profile leaves out. */
function whole(schema: Schema): object {
  if ('items' in schema) return { type: 'array', ...schema, items: whole(schema.items) }
  if ('anyOf' in schema) return { ...schema, anyOf: schema.anyOf.map(whole) }
  if (!('properties' in schema)) return schema
  const { properties, optional = [], ...said } = schema
  const required = Object.keys(properties).filter((name) => !optional.includes(name))
  return { ...said, ...object(mapped(properties), required) }
}

const listed = (lines: readonly string[]): string => lines.map((line) => `- ${line}`).join('\n')

const advice = (type: CheckType, { mistakes }: SkillFile): string =>
  `\`details.hint\` says how to mend a refused value, \`details.position\` where the first rule breaks, \`details.suspects\` which characters the hint speaks of, \`details.warnings\` what to keep in mind about a valid value. Places are counted in code points of the value as sent, from 0. Show them to the person who has the source; do not change a value on your own unless the check accepts the result.

${adviceTable(type, mistakes)}

\`details.layers\` says which layers passed, failed or were not checked; \`details.ruleset\` names the edition of the rules. Same value, same ruleset: byte-identical result.`

function skillPage(type: CheckType, file: SkillFile): string {
  const { codes }: Profile = PROFILES[type]
  const [value = ''] = Object.values(file.examples)
  const input = `{ "value": ${JSON.stringify(value)} }`
  const tool = `validate_${type.replaceAll('-', '_')}`
  return `---
name: ${type}
description: ${JSON.stringify(`${file.summary} Paid per call (USD ${PRICE_USD}, x402). Use before acting on such an identifier; not for asking a register whether it exists.`)}
license: MIT
compatibility: Needs network access and an x402 version 2 client with USDC on Base (eip155:8453).
---

# ${file.title}

${file.description}

One string in, one verdict out. An invalid identifier is a verdict (\`valid: false\`), not an error. USD ${PRICE_USD} a call in USDC on Base, paid with x402 version 2, scheme \`exact\`; no account, no key.

\`BASE_URL\` below is the address this page was fetched from. \`GET BASE_URL/api/types\` gives prices and addresses, free.

## Call it

### A2A

\`POST BASE_URL/a2a\`, a message with one data part:

\`\`\`json
{ "skill": "${type}", "input": ${input} }
\`\`\`

Without payment the answer is HTTP 402 with a \`PAYMENT-REQUIRED\` header; the same request with \`PAYMENT-SIGNATURE\` is answered with a COMPLETED task that has the result as an artifact. A client that sends \`A2A-Extensions\` with an x402 extension of the card gets a task in state INPUT_REQUIRED with the terms instead, and pays in a second message. Both are written out in BASE_URL/docs/a2a.md.

### REST

\`\`\`sh
curl -X POST BASE_URL/api/validate/${type} \\
  -H 'Content-Type: application/json' \\
  -d '{"value": ${JSON.stringify(value)}}'
\`\`\`

Without payment the answer is 402 with a \`PAYMENT-REQUIRED\` header; repeat the same request with \`PAYMENT-SIGNATURE\`. \`@x402/fetch\` does both. BASE_URL/docs/paying-by-hand.md shows the signature without a library.

### MCP

Tool \`${tool}\` at \`BASE_URL/mcp\`, arguments \`${input}\`. Without payment the result has the terms in \`structuredContent\`; repeat the call with the payment in \`_meta["x402/payment"]\`.

## What is checked

${listed(file.checked)}

## What is not checked

${listed(file.notChecked)}

## Edge cases

${listed(file.edgeCases)}

## Result

${resultWords(PROFILES[type])} \`details.code\` is one of:

| code | meaning |
|---|---|
${Object.entries(codes)
  .map(([code, meaning]) => `| \`${code}\` | ${meaning} |`)
  .join('\n')}

## Hints and warnings

${advice(type, file)}

## Limits

The value may have at most 512 characters (Unicode code points). It goes in the body only; a query string is refused. Bad requests are answered with a \`code\` and cost nothing. After a 503 \`payment_in_doubt\` repeat the request unchanged and do not sign a new payment.

## Privacy

The value is never stored, logged, echoed or sent on.${file.privacy === undefined ? '' : ` ${file.privacy}`}

## Sources

${sourceList(file.sources)}
`
}
