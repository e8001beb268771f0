/** Fault kinds of schedulers in use, where people told of them, and the test that each must not exist here: stuck states, locks. */
import type { Complaint } from '../complaint.js';

export const STUCK_STATES: readonly Complaint[] = [
  {
    fault: 'work of a dead worker stays locked',
    reports: [
      'agenda/agenda#131',
      'agenda/agenda#410',
      'agenda/agenda#590',
      'agenda/agenda#717',
      'agenda/agenda#1749',
      'agenda/agenda#893',
      'OptimalBits/bull#308',
      'timgit/pg-boss#303',
      'timgit/pg-boss#436',
      'graphile/worker#222',
      'graphile/worker#204',
    ],
    file: 'test/complaints/stuck-states.test.ts',
    title:
      '[OW-2, OC-6] it stays locked for hours, or for ever: the next owner ends it at once, and the next instant runs',
  },
  {
    fault: 'thousands of jobs stay in running',
    reports: [
      'riverqueue/river#1258',
      'quartz-scheduler/quartz#1516',
      'quartz-scheduler/quartz#145',
      'quartz-scheduler/quartz#134',
      'quartz-scheduler/quartz#218',
      'quartz-scheduler/quartz#635',
      'quartz-scheduler/quartz#95',
    ],
    file: 'test/complaints/stuck-states.test.ts',
    title: '[OW-2, OC-6] thousands stay in running: all of one owner are ended before anything else is done',
  },
  {
    fault: 'a run that a restart has cut leaves no record',
    reports: ['Lexus2016/hermes-agent-evolution#105'],
    file: 'test/complaints/stuck-states.test.ts',
    title:
      '[CT-16, OC-9] a run that a restart has cut leaves no record, and the night looks healthy: it is listed until somebody looks',
  },
  {
    fault: 'the rescue overwrites a job that was completed in between',
    reports: ['riverqueue/river#1302', 'riverqueue/river#1373'],
    file: 'test/complaints/stuck-states.test.ts',
    title:
      '[OW-2, OC-7] the rescue overwrites a job that was completed in between: what is recorded is never touched again',
  },
  {
    fault: 'budgets are counted anew on some path, so that a job never ends',
    reports: ['taskforcesh/bullmq#4220'],
    file: 'test/complaints/stuck-states.test.ts',
    title:
      '[OC-5, OW-2] attempts of a retried job are counted anew after each restart, so that it never ends: its budget holds',
  },
  {
    fault: 'one bad row aborts the rescue of all others',
    reports: ['hardbyte/awa#388'],
    file: 'test/complaints/stuck-states.test.ts',
    title:
      '[OW-2, OC-8] a run whose evidence cannot be read keeps the rescue of all others from ending: it is ended as unknown',
  },
  {
    fault: 'a handler that never ends keeps all others from running',
    reports: ['rocketride-org/rocketride-server#2029'],
    file: 'test/complaints/stuck-states.test.ts',
    title:
      '[OC-2, OC-11] a handler that never ends keeps every other schedule from running: it loses its slot, and is marked',
  },
  {
    fault: 'after an error the guard stays closed',
    reports: ['payloadcms/payload#16219'],
    file: 'test/complaints/stuck-states.test.ts',
    title: '[OV-3, OC-5] a run that %s leaves the guard closed, and the schedule never runs again: it is open',
  },
  {
    fault: 'a stuck run makes all later ones skip unseen',
    reports: ['PostHog/posthog#47045', 'rocketride-org/rocketride-server#2029', 'evoila/meho#2327', 'evoila/meho#2368'],
    file: 'test/complaints/stuck-states.test.ts',
    title:
      '[OV-3, CT-16, OC-5] a stuck run makes all later ones skip unseen: it is told at 3, 10 and 100, and the budget ends the run',
  },
  {
    fault: 'nothing says what a run waits for',
    reports: ['dagster-io/dagster#16441'],
    file: 'test/complaints/stuck-states.test.ts',
    title:
      '[OW-6, OC-9] what a run waits for is not shown, so that it looks stuck: a queued one names what holds its key',
  },
  {
    fault: 'a failed write leaves a claim behind',
    reports: ['kagkarlsson/db-scheduler#803'],
    file: 'test/complaints/stuck-states.test.ts',
    title:
      '[ST-4, OC-3] a write that failed leaves a claim behind, and the row is picked for ever: it runs once when the disk is well',
  },
  {
    fault: 'after a lost connection a job runs hours late',
    reports: ['taskforcesh/bullmq#1658'],
    file: 'test/complaints/stuck-states.test.ts',
    title:
      '[ST-4, OW-3] after a lost connection a job runs hours late: the owner looks again seconds after the trouble',
  },
  {
    fault: 'the store is emptied under a running process, and all schedules stop in silence',
    reports: ['Freika/dawarich#3704'],
    file: 'test/complaints/stuck-states.test.ts',
    title:
      '[ST-3, OW-7] the store is emptied while the process runs, and all schedules stop in silence: the owner ends and says why',
  },
  {
    fault: 'one schedule that cannot be evaluated stops all others',
    reports: [
      'HangfireIO/Hangfire#529',
      'HangfireIO/Hangfire#537',
      'stevehuang0115/crewly#681',
      'timgit/pg-boss#864',
      'sixb-ai/sixb#418',
      'quartz-scheduler/quartz#48',
    ],
    file: 'test/runtime/zone-data.test.ts',
    title: '[CO-4, TR-10] one that breaks quarantines what it judges and delays nothing else; previews are refused',
  },
  {
    fault: 'a run has no limit of its own',
    reports: ['riverqueue/river#682', 'riverqueue/river#347'],
    file: 'test/runtime/dispatch-attempts.test.ts',
    title: '[OC-5, OC-11] an attempt that runs at its elapsed budget is aborted and failed',
  },
  {
    fault: 'the guard opens before the work has ended, or some triggers have none',
    reports: [
      'nestjs/schedule#1296',
      'kelektiv/node-cron#162',
      'kelektiv/node-cron#459',
      'kibertoad/toad-scheduler#114',
      'kibertoad/toad-scheduler#195',
      'kibertoad/toad-scheduler#208',
      'vendurehq/vendure#5166',
      'enonic/xp#12272',
      'Hexagon/croner#150',
    ],
    file: 'test/complaints/stuck-states.test.ts',
    title:
      '[OV-2, OV-3, OV-4, OC-2] the guard opens before the work has ended, or is not there for some triggers: with %s it follows the end',
  },
  {
    fault: 'a start by hand ignores the overlap policy',
    reports: ['temporalio/sdk-typescript#1594'],
    file: 'test/runtime/client-controls.test.ts',
    title: '[CT-8] follows the overlap policy while work is pending, and says which occurrence is in the way',
  },
  {
    fault: 'a schedule skips without any message',
    reports: [
      'temporalio/temporal#8087',
      'dagster-io/dagster#12454',
      'dagster-io/dagster#6096',
      'dagster-io/dagster#29050',
    ],
    file: 'test/core/transition/collection.test.ts',
    title: '[CT-16] three, ten and a hundred skips in a row are told',
  },
  {
    fault: 'a misspelt zone leads to silence',
    reports: ['Szotasz/marveen#708', 'kelektiv/node-cron#187'],
    file: 'test/core/trigger/compile.test.ts',
    title: '[TR-9] a zone is refused with the nearest names',
  },
];

export const LOCKS: readonly Complaint[] = [
  {
    fault: 'several processes take over the lock of a dead one',
    reports: ['moxystudio/node-proper-lockfile#121', 'npm/lockfile#4'],
    file: 'test/complaints/locks.test.ts',
    title: '[OW-1, L-1] several processes take over the lock of a dead one at the same time: of sixteen, one has it',
  },
  {
    fault: 'replicas each run the same occurrence',
    reports: ['agenda/agenda#1274', 'oban-bg/oban#1488', 'quartz-scheduler/quartz#280', 'quartz-scheduler/quartz#548'],
    file: 'test/complaints/locks.test.ts',
    title:
      '[OW-1, OC-3] replicas each run the same occurrence: whoever is refused runs nothing, and takes over when the owner is gone',
  },
  {
    fault: 'two nodes with one name think that they are one',
    reports: ['oban-bg/oban-py#32'],
    file: 'test/complaints/locks.test.ts',
    title:
      '[OW-1] two nodes with the same host name, or process number, think that they are one: the lock and the epoch tell them apart',
  },
  {
    fault: 'two holders of a lock file that was removed',
    reports: ['cashapp/hermit#423', 'OptimalBits/bull#1416', 'oban-bg/oban#1488'],
    file: 'test/complaints/locks.test.ts',
    title:
      '[OW-5, OC-11] an owner whose lock file a person removed goes on beside the next one: it stops, and its late answer is refused',
  },
  {
    fault: 'a lock file is replaced under its holder',
    reports: ['cashapp/hermit#423'],
    file: 'test/adapters/fs/locks.test.ts',
    title: '[OW-1] a lock file that was replaced or removed is noticed by its holder',
  },
  {
    fault: 'a former owner that comes back goes on',
    reports: [
      'OptimalBits/bull#308',
      'kagkarlsson/db-scheduler#365',
      'kagkarlsson/db-scheduler#402',
      'kagkarlsson/db-scheduler#433',
    ],
    file: 'test/crash/stopped-owner.test.ts',
    title: '[OW-5, OC-6] where no lock keeps another owner out, it can record nothing when it goes on, and ends',
  },
  {
    fault: 'after sleep the lock counts as lost',
    reports: [
      'moxystudio/node-proper-lockfile#74',
      'ipfs/js-ipfs-repo#188',
      'ipfs/js-ipfs-repo#182',
      'earendil-works/pi#1322',
      'taskforcesh/bullmq#3056',
      'taskforcesh/bullmq#3183',
    ],
    file: 'test/complaints/locks.test.ts',
    title:
      '[OW-1, OW-3] after sleep the lock counts as lost, and the process dies or a second one takes over: it never ages',
  },
  {
    fault: 'a long job loses its lock, and is run a second time',
    reports: ['agenda/agenda#1575', 'agenda/agenda#722', 'riverqueue/river#682', 'taskforcesh/bullmq#3056'],
    file: 'test/complaints/locks.test.ts',
    title:
      '[OW-1, OC-3, OC-6] a long job loses its lock while it runs, and is run a second time: a claim has no time limit of its own',
  },
  {
    fault: 'a moment of trouble ends the owner',
    reports: ['ipfs/js-ipfs-repo#182'],
    file: 'test/complaints/locks.test.ts',
    title:
      '[L-3, ST-4] a moment of trouble with the lock file ends the owner: the kernel has it still, and the owner goes on',
  },
  {
    fault: 'a stop lets go of a job that still runs',
    reports: ['agenda/agenda#1778', 'kagkarlsson/db-scheduler#365'],
    file: 'test/complaints/locks.test.ts',
    title:
      '[OW-4, OW-1] it lets go of a job that still runs, and a second instance runs it too: the lock is kept until the last end',
  },
  {
    fault: 'a stop does not wait, or waits for ever',
    reports: ['agenda/agenda#1405', 'agenda/agenda#1470', 'Hexagon/croner#237', 'timgit/pg-boss#421'],
    file: 'test/complaints/locks.test.ts',
    title:
      '[OW-4, OC-11] it does not wait for running jobs, or waits for ever: it waits for its limit, and records what is left with the reason',
  },
  {
    fault: 'the store is closed before the last job has ended',
    reports: ['timgit/pg-boss#576'],
    file: 'test/complaints/locks.test.ts',
    title:
      '[OW-4, ST-2] the store is closed before the last job has ended, and its outcome is lost: what ended within the limit is kept',
  },
  {
    fault: 'nobody can tell whether an owner lives',
    reports: ['dagster-io/dagster#25594'],
    file: 'test/runtime/client-read.test.ts',
    title: '[OW-1] tells any client whether an owner lives, since when, and what it runs',
  },
];
