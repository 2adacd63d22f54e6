// The benches there are: one line each.

import type { Bench } from './bench.ts'
import { httpHello } from './http/http-hello.ts'
import { httpRefusal } from './http/http-refusal.ts'
import { admissionPair } from './micro/admission-pair.ts'
import { decisionBytes } from './micro/decision-bytes.ts'
import { refusal } from './micro/refusal.ts'

export const benches: readonly Bench[] = [admissionPair, refusal, decisionBytes, httpHello, httpRefusal]
