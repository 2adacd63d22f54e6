// Reports of simulated or live runs: text, JSON and a page, all from the same summary.

export { chartsOf } from './charts.ts'
export {
  type ComparedPair,
  type ComparisonJson,
  comparisonJson,
  comparisonTable,
  type Difference,
  goodputDifference,
} from './comparison.ts'
export { type PolicyJson, type ScenarioJson, scenarioJson } from './json.ts'
export { cataloguePage, scenarioPage, tippingPage } from './page.ts'
export {
  type Average,
  exampleSeed,
  type MeasureName,
  type PolicySummary,
  type RunSummary,
  type ScenarioSummary,
  summarisePolicy,
  summariseRun,
} from './summary.ts'
export { gridOf, scenarioTable, tickText } from './table.ts'
export { type TippingCell, type TippingPanel, tippingPicture } from './tipping.ts'
