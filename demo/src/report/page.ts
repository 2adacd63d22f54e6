// The report: one HTML file without scripts, fonts or anything else from elsewhere, so that it can be mailed, archived
// and opened years later. The result it was drawn from is inside it.

import { cpus } from 'node:os'
import type { Reason } from '../ledger.ts'
import { type ServiceName, serviceNames } from '../messages.ts'
import type { RunRecord } from '../record.ts'
import { resourceKinds } from '../resources/resource.ts'
import type { ServiceSummary, Summary, WindowSummary } from '../summary.ts'
import { judgeGenerator } from '../validity.ts'
import { bars, type Verdict } from '../verdict.ts'
import { barsInWords, headline, ms, perS, recovery, verdictSentence } from '../words.ts'
import { pageStyle } from './page-style.ts'
import { goodputDrawing } from './picture.ts'
import { escapeXml } from './svg.ts'
import { goodputChart, latencyChart, outcomeChart, timelineOf, waitingChart } from './timeline.ts'

export function reportPage(record: RunRecord, summary: Summary, verdict: Verdict): string {
  const timeline = timelineOf(record)
  const title = `Spillway demo: ${resourceKinds[record.resource].summary}`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeXml(title)}</title>
<style>${pageStyle}</style>
</head>
<body>
<main>
<h1>${escapeXml(title)}</h1>
<p class="verdict ${verdictClass(verdict)}">${escapeXml(verdictSentence(verdict))}</p>
${summary.valid ? `<p class="lead">${escapeXml(headline(record, summary))}</p>` : ''}
${tiles(summary)}
<h2>What callers got</h2>
<figure>${goodputChart(timeline)}
<figcaption>Grey is what was offered; the coloured lines are answers in time. Shaded in amber: more load than the capacity.</figcaption></figure>
<figure>${latencyChart(timeline)}</figure>
<figure>${outcomeChart(timeline, 'unprotected')}${outcomeChart(timeline, 'protected')}</figure>
<h2>Why</h2>
<figure>${waitingChart(timeline)}
<figcaption>${whyInWords(record)}</figcaption></figure>
<figure class="narrow">${goodputDrawing(summary)}</figure>
<h2>Every window</h2>
${serviceNames.map((service) => windowTable(record, service, summary.services[service])).join('\n')}
<h2>How it was measured</h2>
${method(record)}
<script type="application/json" id="result">${scriptSafe({ summary, outcomes: outcomesOf(record) })}</script>
</main>
</body>
</html>
`
}

export type RecordedOutcomes = Record<
  ServiceName,
  Record<string, number> & { reasons: Partial<Record<Reason, number>> }
>

/** How every planned request ended, and why refused ones were refused. */
export function outcomesOf(record: RunRecord) {
  return Object.fromEntries(
    serviceNames.map((service) => {
      const { ledger } = record.twins[service]
      return [service, { planned: ledger.length, ...ledger.tally(), reasons: reasonsOf(record, service) }]
    }),
  )
}

function reasonsOf(record: RunRecord, service: ServiceName): Partial<Record<Reason, number>> {
  const { ledger } = record.twins[service]
  const counts: Partial<Record<Reason, number>> = {}
  for (let i = 0; i < ledger.length; i++) {
    if (ledger.outcome(i) !== 'rejected') continue
    const reason = ledger.reason(i)
    counts[reason] = (counts[reason] ?? 0) + 1
  }
  return counts
}

function tiles(summary: Summary): string {
  const { unprotected, protected: gated } = summary.services
  const peak = gated.windows.reduce(
    (most, window, i) => (window.offeredPerS > gated.windows[most]!.offeredPerS ? i : most),
    0,
  )
  const share = (window: WindowSummary) => `${((window.goodputPerS / summary.capacity) * 100).toFixed(0)} %`
  const sum = (service: ServiceSummary) => service.windows.reduce((total, { timeouts }) => total + timeouts, 0)
  const rows: [label: string, without: string, gated: string][] = [
    ['goodput at the peak, of capacity', share(unprotected.windows[peak]!), share(gated.windows[peak]!)],
    ['p99 of successes at the peak', ms(unprotected.windows[peak]!.p99Ms), ms(gated.windows[peak]!.p99Ms)],
    ['callers left unanswered', String(sum(unprotected)), String(sum(gated))],
    ['work for the gone', String(unprotected.wasted), String(gated.wasted)],
    ['full service after the load fell', recovery(unprotected.recoveryS), recovery(gated.recoveryS)],
    ['memory over idle at most', growth(unprotected), growth(gated)],
  ]
  const tile = ([label, without, gatedValue]: [string, string, string]) =>
    `<div class="tile"><h3>${label}</h3><dl><div class="protected"><dt>protected</dt><dd>${gatedValue}</dd></div>` +
    `<div class="unprotected"><dt>unprotected</dt><dd>${without}</dd></div></dl></div>`
  return `<section class="tiles">${rows.map(tile).join('')}</section>`
}

function growth(service: ServiceSummary): string {
  return `+${Math.max(0, service.rssPeakMb - service.rssIdleMb).toFixed(0)} MB`
}

function windowTable(record: RunRecord, name: ServiceName, service: ServiceSummary): string {
  const why = Object.entries(reasonsOf(record, name)).map(([reason, count]) => `${reason} ${count}`)
  const rows = service.windows.map(
    (window) =>
      `<tr>${cells(window)
        .map((cell) => `<td>${cell}</td>`)
        .join('')}</tr>`,
  )
  return `<table><caption class="${name}">${name}${why.length === 0 ? '' : `, refused for: ${why.join(', ')}`}</caption>
<thead><tr><th>window</th><th>offered</th><th>goodput</th><th>p50</th><th>p99</th><th>refused</th><th>refusal p50</th><th>refusal p99</th><th>timeouts</th><th>critical served</th></tr></thead>
<tbody>${rows.join('')}</tbody></table>`
}

function cells(window: WindowSummary): string[] {
  return [
    `${window.fromS}–${window.toS} s`,
    `${perS(window.offeredPerS)}/s`,
    `${perS(window.goodputPerS)}/s`,
    ms(window.p50Ms),
    ms(window.p99Ms),
    String(window.rejected),
    ms(window.rejectP50Ms),
    ms(window.rejectP99Ms),
    String(window.timeouts),
    `${window.criticalServed} of ${window.criticalOffered}`,
  ]
}

function method(record: RunRecord): string {
  const validity = judgeGenerator(record)
  const kind = resourceKinds[record.resource]
  const cpuShare = Math.max(...record.generators.map((report) => report.cpuShare))
  const loop = Math.max(...record.generators.map((report) => report.loopUtilisation))
  const points = [
    `Two services, each a process of its own with its own copy of the resource: ${kind.summary}. Both have the same
     handler; the protected one wraps it in <code>protect(handler, { limit: ${kind.slots} })</code>. ${turnsInWords(kind.together)}`,
    `Capacity, ${perS(record.capacityPerS)}/s, is the bare resource with ${kind.slots} ${kind.slots === 1 ? 'caller' : 'callers'}
     back to back for 3 s, measured first in this run.`,
    `The load is open loop: Poisson arrivals drawn from seed ${record.seed} before anything was sent, and sent by the clock
     whatever the answers. Latency counts from the intended start. A caller leaves ${record.timeoutMs} ms after it, by destroying
     its connection; the timeout was sent as <code>x-request-timeout-ms</code>. A quarter of the callers was labelled critical.`,
    `The generator's own lateness: p50 ${ms(validity.latenessP50Ms)}, p99 ${ms(validity.latenessP99Ms)}, at most
     ${ms(validity.latenessMaxMs)}; ${validity.unsent} of ${validity.planned} requests unsent; ${(cpuShare * 100).toFixed(0)} % of a
     core, its event loop ${(loop * 100).toFixed(0)} % busy. Lateness p99 above 5 ms or more than 0.1 % unsent makes a run invalid.
     The generator runs at a higher priority than the services.`,
    `Connections are kept alive and reused, the last freed first, one request at a time on each, with no cap: at the peak
     up to ${peakConnections(record)} to the unprotected service, which keeps every caller waiting. A caller that leaves takes
     its connection with it, so the next opens a fresh one. Each service was warmed up by 40 callers for half a second and
     then left idle before the load; that is not counted, and memory over idle counts from its end.${acceptNote(record)}`,
    `Goodput is answers with status 200 within the timeout. Windows are the phases cut at 5 s, and count callers by
     their intended start. <em>Work for the gone</em> is jobs the resource finished whose caller had left before the answer was delivered, up to the
     last caller's end. <em>Full service</em> is back from the first caller on after whom every second is served at 95 % or
     more; the worst of all drops of load counts.`,
    barsNote(kind.judged),
    `One run on Node ${process.version}, ${cpus().length} cores (${escapeXml(cpus()[0]?.model ?? 'unknown')}).`,
  ]
  return `<ul>${points.map((point) => `<li>${point}</li>`).join('')}</ul>`
}

function whyInWords(record: RunRecord): string {
  return record.resource === 'cpu'
    ? `Nobody waits where a service could see it: callers of synchronous work wait in the kernel and in socket buffers until
the process has time to look.`
    : `Without a bound the queue fills with requests whose callers have left. The service works through them one by one,
on time for nobody, long after the load has fallen.`
}

function barsNote(isJudged: boolean): string {
  return isJudged
    ? `The bars for the protected service: ${barsInWords()}. An overload is a phase that offers ${bars.overloadFrom} times the
     capacity or more.`
    : 'There is no bar for this resource yet.'
}

function turnsInWords(together: boolean): string {
  return together
    ? 'Both were sent the same requests at the same instants.'
    : 'The services took turns, so that each had a core to itself; both were sent the same schedule.'
}

// A synchronous handler is the one case where the operating system's own queue decides the outcome.
function acceptNote(record: RunRecord): string {
  if (record.resource !== 'cpu') return ''
  return ` Node accepts one fresh connection in each turn of its event loop, and a turn takes as long as the
     work it runs. While callers of a service of synchronous work leave and come back with fresh connections, most of the queue is
     therefore in the kernel, where the service can neither see nor refuse it.`
}

function peakConnections(record: RunRecord): number {
  return (Math.max(...record.plan.phases.map((phase) => phase.ratePerS)) * record.timeoutMs) / 1000
}

function verdictClass(verdict: Verdict): string {
  return verdict.status.toLowerCase().replaceAll(' ', '-')
}

/** JSON that cannot end the script element it stands in. */
function scriptSafe(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c')
}
