// One page that stands alone: no script, no font, no picture from elsewhere, so that it can be attached to a pull request or
// kept for years. It has a row per policy, and for each policy the pictures and rules of one run that is like the whole.

import { type Judgement, ruleTable } from '../../verdict/judgement.ts'
import type { Verdict } from '../../verdict/verdict.ts'
import { percent } from '../../verdict/words.ts'
import { chartsOf } from './charts.ts'
import type { PolicySummary, ScenarioSummary } from './summary.ts'
import { escapeXml } from './svg.ts'
import { cellsOf, headOf, remarksOn } from './table.ts'
import { style } from './theme.ts'
import { type TippingPanel, tippingPicture } from './tipping.ts'

export function scenarioPage(summary: ScenarioSummary, tipping: readonly TippingPanel[] = []): string {
  const runs = `${summary.seeds.length} ${summary.seeds.length === 1 ? 'run' : 'runs'} per policy, seeds ${seedWords(summary.seeds)}.`
  return page(`${summary.scenario} ${summary.title}`, [
    `<h1>${escapeXml(summary.scenario)} ${escapeXml(summary.title)}</h1>`,
    `<p class="quiet">Simulated with the shipped admission code. ${runs}</p>`,
    summary.asks === undefined ? '' : `<p>Pass: ${escapeXml(summary.asks)}</p>`,
    policyTable(summary.policies),
    ...(tipping.length === 0 ? [] : [tippingSection(tipping)]),
    ...summary.policies.map(policySection),
  ])
}

/** Several scenarios on one page: an overview, then each with its pictures folded away. */
export function cataloguePage(title: string, summaries: readonly ScenarioSummary[]): string {
  const rows = summaries.flatMap((summary) =>
    summary.policies.map((policy, i) => {
      const name =
        i === 0 ? `<a href="#${anchorOf(summary)}">${escapeXml(`${summary.scenario} ${summary.title}`)}</a>` : ''
      return `<tr><td>${name}</td>${cellsHtml(policy)}</tr>`
    }),
  )
  const sections = summaries.map(
    (summary) =>
      `<section id="${anchorOf(summary)}"><h2>${escapeXml(summary.scenario)} ${escapeXml(summary.title)}</h2>` +
      `${summary.asks === undefined ? '' : `<p>Pass: ${escapeXml(summary.asks)}</p>`}` +
      `<details><summary>Pictures and rules</summary>${summary.policies.map(policySection).join('')}</details></section>`,
  )
  return page(title, [
    `<h1>${escapeXml(title)}</h1>`,
    `<p class="quiet">Simulated with the shipped admission code.</p>`,
    `<div class="scroll"><table><thead><tr>${headHtml(['scenario', ...headOf()])}</tr></thead><tbody>${rows.join('')}</tbody></table></div>`,
    ...sections,
  ])
}

/** The tipping-point pictures alone. */
export function tippingPage(title: string, panels: readonly TippingPanel[]): string {
  return page(title, [`<h1>${escapeXml(title)}</h1>`, tippingSection(panels)])
}

function page(title: string, parts: readonly string[]): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${escapeXml(title)}</title><style>${style}</style></head>
<body><main>
${parts.filter((part) => part !== '').join('\n')}
</main></body></html>
`
}

function policyTable(policies: readonly PolicySummary[]): string {
  const rows = policies.map((policy) => `<tr>${cellsHtml(policy)}</tr>`)
  return `<div class="scroll"><table><thead><tr>${headHtml(headOf())}</tr></thead><tbody>${rows.join('')}</tbody></table></div>`
}

function headHtml(names: readonly string[]): string {
  return names.map((name) => `<th scope="col">${escapeXml(name)}</th>`).join('')
}

function cellsHtml(policy: PolicySummary): string {
  return cellsOf(policy)
    .map((cell) => (cell === policy.verdict.name ? `<td>${badge(cell)}</td>` : `<td>${escapeXml(cell)}</td>`))
    .join('')
}

/** A link within the page. */
function anchorOf({ scenario }: ScenarioSummary): string {
  return scenario.replace(/[^\w-]/g, '-')
}

function policySection(summary: PolicySummary): string {
  const { policy, verdict, runs, example } = summary
  const shown = example === undefined ? undefined : runs.find(({ seed }) => seed === example.seed)
  const { low, high } = verdict.holdBounds
  const share = `${percent(verdict.holdRatio)} of the runs hold (with 95 % confidence ${percent(low)} to ${percent(high)}).`
  return [
    `<section><h2>${escapeXml(policy)} ${badge(verdict.name)}</h2>`,
    `<p>${escapeXml(verdict.sentence)}</p>`,
    runs.length > 1 ? `<p class="quiet">${share}</p>` : '',
    ...remarksOn(summary).map((remark) => `<p>${escapeXml(sentenceCase(remark))}.</p>`),
    ...(example === undefined
      ? []
      : [
          `<p class="quiet">The run with seed ${example.seed}:</p>`,
          `<div class="charts">${chartsOf(example)
            .map((chart) => `<figure>${chart}</figure>`)
            .join('')}</div>`,
        ]),
    shown === undefined ? '' : ruleDetails(shown.verdict),
    '</section>',
  ].join('\n')
}

function ruleDetails({ judgements }: Verdict): string {
  const rows = judgements.map(
    (judgement) =>
      `<tr><td>${judgement.rule}</td><td>${ruleTable[judgement.rule]}</td>` +
      `<td class="${classOf(judgement)}">${judgement.verdict}</td><td>${escapeXml(judgement.sentence)}</td></tr>`,
  )
  return `<details><summary>What each rule says of this run</summary><div class="scroll"><table class="rules"><tbody>${rows.join('')}</tbody></table></div></details>`
}

function tippingSection(panels: readonly TippingPanel[]): string {
  return `<div class="panels">${panels.map((panel) => `<figure>${tippingPicture(panel)}</figure>`).join('')}</div>`
}

function classOf({ verdict }: Judgement): string {
  return verdict === 'pass' ? 'pass' : verdict === 'not judged' ? 'unknown' : 'fails'
}

function badge(name: string): string {
  return `<span class="badge${name === 'HOLDS' ? ' holds' : ''}">${escapeXml(name)}</span>`
}

function sentenceCase(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1).replace(/\.$/, '')}`
}

function seedWords(seeds: readonly number[]): string {
  const [first, last] = [seeds[0], seeds.at(-1)]
  return seeds.length <= 1 ? `${first ?? 'none'}` : `${first} to ${last}`
}
