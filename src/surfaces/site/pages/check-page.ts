import type { Example, Skill } from '../../../catalog/skill.ts'
import { type Html, html } from '../../../values/html.ts'
import { codeBlock } from '../code-block.ts'
import { foldedSection } from '../fold.ts'
import type { Layout } from '../layout.ts'
import { checkPath, gistOf, type PageContext } from '../page-context.ts'
import { type SkillWords, wordsOf } from '../skill-words.ts'
import { curl, dataPart, toolCall } from '../snippets.ts'

export function checkPage(context: PageContext, skill: Skill, layout: Layout): string {
  const words = wordsOf(skill)
  return layout({
    title: `${skill.title} - ${context.listing.service}`,
    description: skill.summary,
    path: checkPath(skill),
    assets: ['reading.css', 'folds.js'],
    main: html`<div class="wrap page">
<p class="crumbs"><a href="/#checks">Checks</a></p>
<h1>${skill.title}</h1>
<p class="lead">${gistOf(skill)}</p>
<p class="actions"><a class="button" href="/#try-${skill.id}">Check it: ${context.listing.price}</a> <span class="hint">Ruleset <code>${skill.ruleset}</code></span></p>
${rules(words)}
${codes(words)}
${advice(words)}
${examples(skill)}
${calls(context, skill)}
${sources(skill)}
</div>`,
  })
}

const rules = ({ checked, notChecked, edgeCases, result }: SkillWords): Html =>
  foldedSection(
    'rules',
    'Rules',
    html`<div class="columns">
<div><h3>Checked</h3>${checked}</div>
<div><h3>Not checked</h3>${notChecked}</div>
</div>
<h3>Edge cases</h3>
${edgeCases}
<h3>Result</h3>
${result}`,
  )

const codes = ({ codes }: SkillWords): Html =>
  foldedSection(
    'codes',
    'Codes',
    html`<p>In <code>details.code</code>, always one of these:</p>
<dl class="codes">
${codes.map(({ code, meaning }) => html`<div id="code-${code}"><dt><code>${code}</code></dt><dd>${meaning}</dd></div>`)}
</dl>`,
  )

const advice = ({ advice }: SkillWords): Html =>
  foldedSection('advice', 'Hints and warnings', html`${advice}`)

const examples = (skill: Skill): Html =>
  foldedSection(
    'examples',
    'Examples',
    html`<p>Each opens to the answer the service gives for its price. <a href="/docs/known-offline">What is known offline</a>, in one table.</p>
${skill.examples.map(example)}`,
  )

function example({ title, input, output }: Example): Html {
  const { valid, details, normalized } = output
  return html`<details class="example">
<summary><span class="what">${title}</span> <code class="given">${input.value}</code> <span class="verdict ${valid ? 'valid' : 'invalid'}">${valid ? 'valid' : 'invalid'}<span class="then">${valid ? (normalized ?? '') : details.code}</span></span></summary>
<p>${output.reason}</p>
${codeBlock(`Answer: ${title}`, JSON.stringify(output, null, 2))}
</details>`
}

const calls = (context: PageContext, skill: Skill): Html =>
  foldedSection(
    'call',
    'Call it',
    html`<h3>REST</h3>
${codeBlock('Request over REST', curl(context, skill))}
<h3>A2A</h3>
<p>One data part in a message to <code>${context.baseUrl}/a2a</code>:</p>
${codeBlock('Data part of an A2A message', dataPart(skill))}
<h3>MCP</h3>
<p>Parameters of <code>tools/call</code> at <code>${context.baseUrl}/mcp</code>:</p>
${codeBlock('Parameters of an MCP call', toolCall(skill))}
<p><a href="/docs/clients">The same calls, paid</a>. The page for agents: <a href="/.well-known/agent-skills/${skill.id}/SKILL.md">SKILL.md</a>.</p>`,
  )

const sources = ({ sources }: Skill): Html =>
  foldedSection(
    'sources',
    'Sources',
    html`<ul class="sources">
${sources.map(({ title, url, edition, date }) => html`<li><a href="${url}" rel="noreferrer">${title}</a>, ${edition} <time datetime="${date}">${date}</time></li>`)}
</ul>`,
  )
