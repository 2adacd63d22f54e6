// The final table in the terminal: every window of both services.

import { type ServiceName, serviceNames } from '../messages.ts'
import type { RunRecord } from '../record.ts'
import type { ServiceSummary, Summary, WindowSummary } from '../summary.ts'
import { judgeGenerator } from '../validity.ts'
import type { Verdict } from '../verdict.ts'
import { headline, ms, perS, recovery, verdictSentence } from '../words.ts'

const head = ['window', 'offered', 'goodput', 'p50', 'p99', 'refused', 'in (p99)', 'timeouts', 'critical']

export function finalTable(record: RunRecord, summary: Summary, verdict: Verdict): string {
  const validity = judgeGenerator(record)
  const lateness = `lateness p50 ${ms(validity.latenessP50Ms)}, p99 ${ms(validity.latenessP99Ms)}`
  return [
    '',
    `Capacity of the bare resource: ${perS(summary.capacity)}/s. Seed ${summary.seed}. Generator: ${lateness}, ` +
      `${validity.unsent} unsent of ${validity.planned}.`,
    ...serviceNames.flatMap((service) => ['', ...serviceTable(service, summary.services[service])]),
    '',
    // A run that measured the generator has nothing to say about the services.
    ...(validity.valid ? [headline(record, summary)] : []),
    verdictSentence(verdict),
    '',
  ].join('\n')
}

function serviceTable(name: ServiceName, service: ServiceSummary): string[] {
  return [
    name.toUpperCase(),
    line(head),
    ...service.windows.map((window) => line(cells(window))),
    `work for the gone ${service.wasted}   recovery ${recovery(service.recoveryS)}   ` +
      `memory ${service.rssIdleMb} MB idle, ${service.rssPeakMb} MB at most`,
  ]
}

function cells(window: WindowSummary): string[] {
  return [
    `${window.fromS}–${window.toS} s`,
    `${perS(window.offeredPerS)}/s`,
    `${perS(window.goodputPerS)}/s`,
    ms(window.p50Ms),
    ms(window.p99Ms),
    String(window.rejected),
    ms(window.rejectP99Ms),
    String(window.timeouts),
    `${window.criticalServed}/${window.criticalOffered}`,
  ]
}

function line(texts: readonly string[]): string {
  return texts.map((text, i) => (i === 0 ? text.padEnd(8) : text.padStart(9))).join(' ')
}
