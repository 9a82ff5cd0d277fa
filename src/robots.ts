export { compileRobots, parseRobots, type Robots } from './robots/robots.ts'
export { RobotsRules, type Verdict } from './robots/rules.ts'
