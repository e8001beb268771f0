/** Fault kinds of schedulers in use, where people told of them, and the test that each must not exist here: clocks, timers. */
import type { Complaint } from '../complaint.js';

export const CLOCKS: readonly Complaint[] = [
  {
    fault: 'after standby jobs run late by the length of the sleep, or never',
    reports: [
      'node-schedule/node-schedule#600',
      'node-schedule/node-schedule#632',
      'node-schedule/node-schedule#278',
      'node-schedule/node-schedule#13',
      'node-cron/node-cron#349',
    ],
    file: 'test/complaints/clocks.test.ts',
    title:
      '[OW-3, CO-1] jobs run late by the length of the sleep, or never: within half a minute of waking, and on time from then on',
  },
  {
    fault: 'after a wake-up or a step a job fires once for each missed interval',
    reports: [
      'node-schedule/node-schedule#387',
      'node-schedule/node-schedule#431',
      'node-schedule/node-schedule#214',
      'node-schedule/node-schedule#208',
      'node-schedule/node-schedule#221',
      'akka/akka#26910',
      'garethgeorge/backrest#823',
      'node-cron/node-cron#534',
    ],
    file: 'test/complaints/clocks.test.ts',
    title: '[MF-2, MF-4] the job fires once for every missed interval: one run that says for how many it stands',
  },
  {
    fault: 'the rule for missed runs holds after a restart, not after sleep',
    reports: ['ptweezy/cronstable#17', 'dbos-inc/dbos-transact-py#803'],
    file: 'test/complaints/clocks.test.ts',
    title:
      '[CO-1, MF-1, MF-2, MF-3] the rule for missed runs holds after a restart, but not after sleep: %s does the same for both',
  },
  {
    fault: 'each sleep is taken for a change of the clock',
    reports: ['Steve-Mcl/node-red-contrib-cron-plus#30'],
    file: 'test/complaints/clocks.test.ts',
    title: '[CO-6, OW-7] each sleep is taken for a change of the clock: time that both clocks saw is none',
  },
  {
    fault: 'a clock that goes forward queues everything at once',
    reports: ['sidekiq-scheduler/sidekiq-scheduler#283'],
    file: 'test/complaints/clocks.test.ts',
    title: '[MF-3, CO-3] everything is queued at once: what is caught up is bounded, oldest first',
  },
  {
    fault: 'a clock years ahead makes all missed instants be counted one by one',
    reports: ['agronholm/apscheduler#526'],
    file: 'test/complaints/clocks.test.ts',
    title:
      '[CO-1, MF-4, TR-8] set thirty years ahead, all missed instants are counted one by one: it costs nothing, and the count is a floor',
  },
  {
    fault: 'a wrong clock that is set right leaves nothing to run',
    reports: ['agronholm/apscheduler#526', 'sidekiq-scheduler/sidekiq-scheduler#283'],
    file: 'test/complaints/clocks.test.ts',
    title:
      '[CO-6, MF-3] a wrong clock that is set right leaves nothing to run: once it is accepted, what is not accounted for goes on',
  },
  {
    fault: 'a clock that goes back stops all jobs until the old time is reached',
    reports: ['dbader/schedule#323', 'multica-ai/multica#4422'],
    file: 'test/complaints/clocks.test.ts',
    title:
      '[CO-6, CO-1] no job runs until the old time is reached again: a small step stops nothing, and doubles nothing',
  },
  {
    fault: 'after the time was changed by hand nothing runs, and nothing says why',
    reports: ['node-schedule/node-schedule#453', 'node-schedule/node-schedule#542'],
    file: 'test/complaints/clocks.test.ts',
    title:
      '[CO-6, OW-7, CT-1] nothing runs any more and nothing says why: a large step is told, and one call lets jobs go on',
  },
  {
    fault: 'a mark in the future breaks the scan at start-up',
    reports: ['Szotasz/marveen#781'],
    file: 'test/complaints/clocks.test.ts',
    title: '[CO-6, OW-2] a mark in the future breaks the scan at start-up: the new owner says so, waits, and goes on',
  },
  {
    fault: 'a retry waits by the wall clock',
    reports: ['dbader/schedule#323'],
    file: 'test/complaints/clocks.test.ts',
    title:
      '[OC-5] a waiting retry starts only when the old time is reached again: its wait is measured, not read off the wall',
  },
  {
    fault: 'the budget of a run is spent by the sleep of the machine',
    reports: ['node-schedule/node-schedule#600'],
    file: 'test/complaints/clocks.test.ts',
    title:
      '[OC-5] the budget of a job that runs is spent by the sleep of the machine: it counts the time in which it could run',
  },
  {
    fault: 'autumn: twice, an hour apart, without pause, or silent for an hour',
    reports: [
      'meteor/meteor-synced-cron#152',
      'OptimalBits/bull#2207',
      'kelektiv/node-cron#563',
      'kelektiv/node-cron#120',
      'node-schedule/node-schedule#435',
      'Steve-Mcl/node-red-contrib-cron-plus#108',
      'Hexagon/croner#343',
    ],
    file: 'test/complaints/clocks.test.ts',
    title: '[TR-3, TR-6, OC-1] autumn: jobs fire twice, an hour apart, or without pause for an hour: each instant once',
  },
  {
    fault: 'spring: a loop in the gap, or a shift that stays',
    reports: [
      'node-cron/node-cron#492',
      'node-cron/node-cron#509',
      'Hexagon/croner#286',
      'Hexagon/croner#142',
      'kagkarlsson/db-scheduler#662',
      'kagkarlsson/db-scheduler#663',
    ],
    file: 'test/complaints/clocks.test.ts',
    title:
      '[TR-3, TR-6, CO-1] spring: a job loops in the gap, or stays shifted for the rest of the season: that day is passed over',
  },
  {
    fault: 'a restart or a step inside the repeated hour',
    reports: ['NousResearch/hermes-agent#109532'],
    file: 'test/complaints/clocks.test.ts',
    title:
      '[CO-1, TR-6, MF-3] a restart or a step in the repeated hour doubles or loses runs: all are accounted for once',
  },
  {
    fault: 'the search for the next instant does not go forward',
    reports: ['agronholm/apscheduler#980', 'Hexagon/croner#142'],
    file: 'test/property/trigger-laws.test.ts',
    title: '[TR-1] progress: next is later, whole, and rises',
  },
  {
    fault: 'a search that never ends',
    reports: [
      'jaclarke/cronosjs#37',
      'harrisiirak/cron-parser#115',
      'jmrozanec/cron-utils#310',
      'bunkat/later#128',
      'P4sca1/cron-schedule#134',
      'gorhill/cronexpr#16',
      'node-cron/node-cron#603',
    ],
    file: 'test/property/trigger-laws.test.ts',
    title: '[TR-8] termination: any trigger answers from the first year and from the last',
  },
  {
    fault: 'a search that is limited by the time it takes',
    reports: ['kelektiv/node-cron#467', 'kelektiv/node-cron#469', 'kelektiv/node-cron#599'],
    file: 'test/property/trigger-laws.test.ts',
    title: '[TR-8] patterns that never match, or match once in decades, answer from every year',
  },
];

export const TIMERS: readonly Complaint[] = [
  {
    fault: 'a job far in the future runs at once, or in a loop',
    reports: [
      'agenda/agenda#5',
      'node-schedule/node-schedule#41',
      'kelektiv/node-cron#40',
      'openclaw/openclaw#11486',
      'sixb-ai/sixb#418',
      'medusajs/medusa#16281',
    ],
    file: 'test/complaints/timers.test.ts',
    title: '[OW-3, CO-1] a job far in the future runs at once, or in a loop: a one-shot in %i days runs then, and once',
  },
  {
    fault: 'a deadline that no timer can hold',
    reports: ['agenda/agenda#5'],
    file: 'test/runtime/owner-rest.test.ts',
    title: '[C-4] wait for longer than a timer can hold',
  },
  {
    fault: 'the limits of a run overflow a timer',
    reports: ['agenda/agenda#5'],
    file: 'test/complaints/timers.test.ts',
    title: '[OC-5, C-4] the limits of a run overflow as well: a budget of days neither spins nor ends early',
  },
  {
    fault: 'a timer that fires early makes a job run twice',
    reports: [
      'bunkat/later#34',
      'bunkat/later#207',
      'kelektiv/node-cron#163',
      'kelektiv/node-cron#243',
      'kelektiv/node-cron#180',
      'kelektiv/node-cron#249',
      'node-cron/node-cron#116',
      'node-cron/node-cron#120',
      'breejs/bree#241',
      'breejs/later#39',
      'NineCollective/node-crontab#7',
    ],
    file: 'test/complaints/timers.test.ts',
    title:
      '[CO-1, OC-1] the job runs before its time and again at it: with timers of %d of their time it runs at it, and once',
  },
  {
    fault: 'an interval drifts',
    reports: ['kagkarlsson/db-scheduler#12', 'agronholm/apscheduler#320', 'agenda/agenda#78'],
    file: 'test/complaints/timers.test.ts',
    title:
      '[TR-2, CO-1] a fixed rate is counted from the end of the last run: after 600 runs of any length no phase is lost',
  },
  {
    fault: 'pause and resume shift the phase of an interval',
    reports: ['NousResearch/hermes-agent#45018'],
    file: 'test/complaints/timers.test.ts',
    title: '[TR-2, CT-5] pause and resume shift the phase of an interval: it comes from the start',
  },
  {
    fault: 'a stop leaves timers behind',
    reports: ['timgit/pg-boss#421', 'timgit/pg-boss#237', 'timgit/pg-boss#361', 'timgit/pg-boss#576'],
    file: 'test/complaints/timers.test.ts',
    title: '[OW-4] a stop leaves timers behind: nobody sleeps once the schedules are closed, whatever ran or waited',
  },
  {
    fault: 'after a stop and a start nothing is picked up',
    reports: ['timgit/pg-boss#268'],
    file: 'test/complaints/timers.test.ts',
    title: '[OW-4, OW-1] after a stop and a start nothing is picked up: the cycle works as often as one likes',
  },
  {
    fault: 'the process ends while a job waits',
    reports: ['breejs/bree#186'],
    file: 'test/complaints/timers.test.ts',
    title:
      '[OW-4, CT-10] the process ends while a job waits, or hangs because of a client: an owner keeps it alive, a client does not',
  },
  {
    fault: 'a schedule without a next instant stops in silence',
    reports: ['HangfireIO/Hangfire#2462'],
    file: 'test/complaints/timers.test.ts',
    title:
      '[TB-2, OW-7] a schedule without a next instant stops in silence: it is told, listed as completed, and says why',
  },
  {
    fault: 'ticks that drift past a fixed look-back window lose instants',
    reports: ['timgit/pg-boss#914', 'timgit/pg-boss#327', 'Szotasz/marveen#621'],
    file: 'test/complaints/timers.test.ts',
    title: '[OW-3, CO-1] ticks that drift past a fixed look-back window lose instants: the spans of any two ticks join',
  },
  {
    fault: 'fake timers stop after hours, or wait for ever',
    reports: ['node-schedule/node-schedule#459', 'kelektiv/node-cron#346', 'jestjs/jest#9971'],
    file: 'test/testing/manual-clock.test.ts',
    title: '[CO-1] wakes sleepers one at a time, each at its exact time, and lets what they woke run first',
  },
  {
    fault: 'an owner costs more, the more schedules there are',
    reports: ['node-schedule/node-schedule#333'],
    file: 'test/runtime/owner-loop.test.ts',
    title: '[OW-8] an idle owner asks the store for nothing but news, however many schedules there are',
  },
];
