/** Fault kinds of schedulers in use, where people told of them, and the test that each must not exist here: restarts, revisions. */
import type { Complaint } from '../complaint.js';

export const RESTARTS: readonly Complaint[] = [
  {
    fault: 'a job runs twice after a restart',
    reports: ['openclaw/openclaw#42640', 'triggerdotdev/trigger.dev#1566', 'taskforcesh/bullmq#2889'],
    file: 'test/complaints/restarts.test.ts',
    title: '[OC-1, CO-1] a job runs twice after a restart: never, however often the process comes back',
  },
  {
    fault: 'a job that was cut by a crash is run again by itself',
    reports: ['taskforcesh/bullmq#439', 'OptimalBits/bull#1682'],
    file: 'test/complaints/restarts.test.ts',
    title: '[OC-3, OC-6, OW-2] a job that was cut by a crash runs again by itself: never, in memory or on disk',
  },
  {
    fault: 'killed for real in the middle of a run',
    reports: ['taskforcesh/bullmq#439'],
    file: 'test/crash/kill-owner.test.ts',
    title: '[OC-6, OW-2, ST-2] in the middle of a run ends in interrupted, never in a second execution',
  },
  {
    fault: 'killed for real, again and again',
    reports: ['OptimalBits/bull#1682'],
    file: 'test/crash/kill-loop.test.ts',
    title: '[ST-2, ST-5, OC-3, OC-6, OW-2, CO-5] loses no acknowledged write, runs nothing twice, and comes to rest',
  },
  {
    fault: 'what falls due during a restart is lost',
    reports: [
      'timgit/pg-boss#557',
      'sidekiq-cron/sidekiq-cron#111',
      'voiio/dramatiq-crontab#97',
      'oban-bg/oban#630',
      'oban-bg/oban#892',
      'dkron-io/dkron#1210',
      'dkron-io/dkron#998',
    ],
    file: 'test/complaints/restarts.test.ts',
    title:
      '[CO-1, CO-2] an occurrence that falls due in the seconds of a restart is lost: it runs when the process is back',
  },
  {
    fault: 'removed and registered again within an interval, a job is gone or runs twice',
    reports: ['taskforcesh/bullmq#3063', 'timgit/pg-boss#592'],
    file: 'test/complaints/restarts.test.ts',
    title:
      '[CT-7, OC-1] a job that is removed and registered again within its interval: it goes on, and runs nothing twice',
  },
  {
    fault: 'each deployment starts the countdown of an interval anew',
    reports: ['riverqueue/river#791', 'CherryHQ/cherry-studio#18680'],
    file: 'test/complaints/restarts.test.ts',
    title:
      '[TR-2, CO-1] a weekly job never runs since each deployment starts its countdown anew: it is due by its start alone',
  },
  {
    fault: 'a job runs at each deployment',
    reports: ['sidekiq-cron/sidekiq-cron#73'],
    file: 'test/complaints/restarts.test.ts',
    title: '[CT-4, CT-13] a monthly job runs at every deployment: a registration owes nothing from before',
  },
  {
    fault: 'the chain of next jobs breaks, and the schedule is silent for ever',
    reports: [
      'taskforcesh/bullmq#3272',
      'taskforcesh/bullmq#3499',
      'taskforcesh/bullmq#2643',
      'taskforcesh/bullmq#2790',
      'taskforcesh/bullmq#393',
      'OptimalBits/bull#1739',
      'agenda/agenda#123',
      'agenda/agenda#618',
    ],
    file: 'test/complaints/restarts.test.ts',
    title:
      '[CO-1, CT-11, OC-5] it breaks for ever when one run fails, is stopped, or dies: the next instant comes from the rule',
  },
  {
    fault: 'everything is gone after a restart',
    reports: ['node-schedule/node-schedule#500', 'agenda/agenda#645'],
    file: 'test/complaints/restarts.test.ts',
    title:
      '[ST-2, CO-1] everything is gone after a restart: schedules, history and the next instant survive a power cut',
  },
  {
    fault: 'a run is lost between its admission and its start',
    reports: ['timgit/pg-boss#436'],
    file: 'test/complaints/restarts.test.ts',
    title:
      '[OC-3, ST-2] a run is lost between its admission and its start: it waits in the catalogue for the next owner',
  },
  {
    fault: 'dying at any call of the store runs something twice, or loses it',
    reports: ['OptimalBits/bull#1682', 'triggerdotdev/trigger.dev#1566'],
    file: 'test/runtime/owner-crash.test.ts',
    title:
      '[OC-3, OC-6, OW-2, ST-2] %s the effect of any of its calls leaves no attempt that runs twice, and none undone',
  },
  {
    fault: 'dying at any step of the disk runs something twice, or loses it',
    reports: ['OptimalBits/bull#1682'],
    file: 'test/sim/points/points.test.ts',
    title: '[ST-2, ST-4, OW-2, OW-5, OC-3, OC-5, OC-6, CO-5, CO-6, MF-4] what owners do',
  },
  {
    fault: 'the recovery of a process runs work of the same process again',
    reports: ['dbos-inc/dbos-transact-java#491', 'dbos-inc/dbos-transact-ts#1219'],
    file: 'test/core/transition/attempts.test.ts',
    title: '[OC-11, OW-2] what a new owner finds running in its own process is interrupted, and its key stays held',
  },
];

export const REVISIONS: readonly Complaint[] = [
  {
    fault: 'registering at every start leaves several copies',
    reports: [
      'taskforcesh/bullmq#2876',
      'taskforcesh/bullmq#2988',
      'agenda/agenda#326',
      'agenda/agenda#1149',
      'OptimalBits/bull#666',
      'OptimalBits/bull#2167',
    ],
    file: 'test/complaints/revisions.test.ts',
    title: '[CT-13, ST-5] several copies after restarts, or of processes that start at once: one schedule, one run',
  },
  {
    fault: 'two schedules of one handler overwrite each other',
    reports: ['agenda/agenda#364', 'agenda/agenda#1175', 'agenda/agenda#50'],
    file: 'test/complaints/revisions.test.ts',
    title: '[OC-1, CT-13] two schedules of one handler overwrite each other: an id names a schedule, whatever it runs',
  },
  {
    fault: 'a deployment cancels the pause of a person',
    reports: ['PrefectHQ/prefect#18822'],
    file: 'test/complaints/revisions.test.ts',
    title: '[CT-13, CT-5] a deployment cancels the pause that a person made: it stays paused, also with a new rule',
  },
  {
    fault: 'a deployment deletes late runs',
    reports: ['PrefectHQ/prefect#17764'],
    file: 'test/complaints/revisions.test.ts',
    title: '[CT-13] a deployment deletes late runs that should still run: an equal declaration leaves them alone',
  },
  {
    fault: 'registering one job makes others run again',
    reports: ['agronholm/apscheduler#5'],
    file: 'test/complaints/revisions.test.ts',
    title:
      '[CO-1, OC-1] registering another schedule makes others run again that are still in their grace: a done run is done',
  },
  {
    fault: 'the old rule fires beside the new one',
    reports: [
      'n8n-io/n8n#30607',
      'PrefectHQ/prefect#17703',
      'PrefectHQ/prefect#17508',
      'PrefectHQ/prefect#18523',
      'PrefectHQ/prefect#17538',
      'OptimalBits/bull#666',
    ],
    file: 'test/complaints/revisions.test.ts',
    title:
      '[CT-3, CO-5] the old rule fires beside the new one: its queue is withdrawn with a reason, and it is never due again',
  },
  {
    fault: 'an update takes effect after the old interval only',
    reports: ['taskforcesh/bullmq#3378', 'taskforcesh/bullmq#3500', 'taskforcesh/bullmq#3539'],
    file: 'test/complaints/revisions.test.ts',
    title: '[CT-3] an update takes effect only after the old interval: it is due by the new rule at once',
  },
  {
    fault: 'an edit runs what the new rule missed',
    reports: [
      'apache/airflow#45274',
      'dagster-io/dagster#13597',
      'kubernetes/kubernetes#65457',
      'kubernetes/kubernetes#63371',
    ],
    file: 'test/complaints/revisions.test.ts',
    title: '[CT-3, CO-5] an edit runs what the new rule missed before it: it owes nothing from before its own time',
  },
  {
    fault: 'the same instant is run again under another identity',
    reports: ['PrefectHQ/prefect#18894'],
    file: 'test/complaints/revisions.test.ts',
    title: '[CO-6, CT-3, OC-1] an edit at the very instant of a run makes it due again: never, under any revision',
  },
  {
    fault: 'after a change of the zone a due run is skipped in silence',
    reports: ['NousResearch/hermes-agent#101090'],
    file: 'test/complaints/revisions.test.ts',
    title:
      '[CT-3, TR-9] a change of the zone silently skips a run that is due: it is a new revision with an explicit next instant',
  },
  {
    fault: 'a run is given a definition that changed under it',
    reports: ['dbos-inc/dbos-transact-ts#631'],
    file: 'test/complaints/revisions.test.ts',
    title:
      '[CT-3, OC-4] a run is given a definition that changed under it: each one keeps the document that it was admitted with',
  },
  {
    fault: 'a removed job goes on after a deployment',
    reports: ['meteor/meteor-synced-cron#72', 'sidekiq-cron/sidekiq-cron#267', 'sidekiq-cron/sidekiq-cron#504'],
    file: 'test/complaints/revisions.test.ts',
    title:
      '[CT-7, CT-1] a removed job goes on after a deployment: a deleted one is gone, one that nobody registers is listed',
  },
  {
    fault: 'a deleted schedule is still listed',
    reports: ['temporalio/temporal#5785'],
    file: 'test/complaints/revisions.test.ts',
    title:
      '[CT-7] a deleted schedule is still listed, and cannot be deleted again: every process sees it gone, and is told so',
  },
  {
    fault: 'orphans call a handler that no longer exists, at each tick',
    reports: ['demarche-numerique/demarche.numerique.gouv.fr#13297'],
    file: 'test/complaints/revisions.test.ts',
    title:
      '[OC-4, OC-5] a job whose handler is gone fails at each tick without end: it fails with a reason and parks after so many',
  },
  {
    fault: 'a schedule vanishes after a long pause, or when it is finished',
    reports: ['temporalio/temporal#9752', 'temporalio/temporal#4737'],
    file: 'test/complaints/revisions.test.ts',
    title:
      '[CT-7, CO-5] a schedule vanishes when it is paused for longer than anything is kept, or finished: only a person deletes it',
  },
  {
    fault: 'a count of failures is not reset by a success',
    reports: ['agenda/agenda#1721'],
    file: 'test/complaints/revisions.test.ts',
    title: '[OC-5] the count of failures is not reset by a success, so that a schedule stops for ever: it starts anew',
  },
];
