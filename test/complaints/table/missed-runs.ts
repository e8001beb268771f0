/** Fault kinds of schedulers in use, where people told of them, and the test that each must not exist here: missed. */
import type { Complaint } from '../complaint.js';

export const MISSED: readonly Complaint[] = [
  {
    fault: 'each missed run, one of them, or none: there is no choice',
    reports: [
      'HangfireIO/Hangfire#1891',
      'HangfireIO/Hangfire#620',
      'SamSaffron/term-llm#925',
      'n8n-io/n8n#35075',
      'kubernetes/enhancements#1145',
      'agronholm/apscheduler#463',
    ],
    file: 'test/complaints/missed.test.ts',
    title:
      '[MF-1, MF-2, MF-3] one user wants each missed run, another one of them, another none: each is a policy of the schedule',
  },
  {
    fault: 'a policy is stored and never read',
    reports: ['SamSaffron/term-llm#925'],
    file: 'test/core/policy/downtime-grid.test.ts',
    title: '[MF-1, MF-2, MF-3] downtime with misfire %s',
  },
  {
    fault: 'the defaults lose runs in an ordinary outage',
    reports: ['temporalio/temporal#4332'],
    file: 'test/complaints/missed.test.ts',
    title:
      '[CO-2, MF-2] the defaults lose runs in an ordinary outage: nothing is lost with what an author gets without asking',
  },
  {
    fault: 'a grace of one second drops jobs of a slow machine',
    reports: ['agronholm/apscheduler#292', 'agronholm/apscheduler#182', 'agronholm/apscheduler#296'],
    file: 'test/complaints/missed.test.ts',
    title: '[CO-2] a slow machine drops jobs by a grace of one second: a minute of lateness is still in time',
  },
  {
    fault: 'after more than a hundred missed starts a job never starts again',
    reports: [
      'kubernetes/kubernetes#83642',
      'kubernetes/kubernetes#42649',
      'kubernetes/kubernetes#45825',
      'kubernetes/kubernetes#110919',
    ],
    file: 'test/complaints/missed.test.ts',
    title:
      '[CO-1, MF-3, TR-8] after more than a hundred missed starts the job never starts again: with %s it goes on after years',
  },
  {
    fault: 'a run starts days too late',
    reports: ['NousResearch/hermes-agent#111212', 'ohdearquant/khive#1508'],
    file: 'test/complaints/missed.test.ts',
    title:
      '[MF-5, OC-9] a run of Friday starts on Sunday: past its greatest lateness it is recorded, with the reason in words, and never run',
  },
  {
    fault: 'a rare run is missed without a word',
    reports: ['HangfireIO/Hangfire#546', 'NousResearch/hermes-agent#30850', 'NousResearch/hermes-agent#27327'],
    file: 'test/complaints/missed.test.ts',
    title: '[MF-2, MF-4, OW-7] a yearly run is missed without a word: it runs late, and says how late and why',
  },
  {
    fault: 'the catch-up run takes the place of the run of today',
    reports: ['NousResearch/hermes-agent#77420'],
    file: 'test/complaints/missed.test.ts',
    title:
      '[CO-1, MF-2] the catch-up run comes before the time of today and takes the place of the one of today: both run',
  },
  {
    fault: 'each of several rules of one schedule catches up on its own',
    reports: ['apache/airflow#47566'],
    file: 'test/complaints/missed.test.ts',
    title: '[TR-1, MF-2, OV-1] each of several rules in one schedule catches up on its own: the union is caught up',
  },
  {
    fault: 'everything that is overdue starts in one instant',
    reports: [
      'riverqueue/river#1035',
      'HangfireIO/Hangfire#1591',
      'dagster-io/dagster#25594',
      'PrefectHQ/prefect#19313',
      'PrefectHQ/prefect#17575',
      'PrefectHQ/prefect#7006',
      'NousResearch/hermes-agent#106255',
      'NousResearch/hermes-agent#52542',
      'systemd/systemd#43350',
      'systemd/systemd#43464',
    ],
    file: 'test/complaints/missed.test.ts',
    title:
      '[OC-2, MF-2] three hundred overdue jobs start in one instant: no more at once than the host allows, and each one once',
  },
  {
    fault: 'everything that is due on the hour starts in one instant',
    reports: ['systemd/systemd#43350'],
    file: 'test/complaints/missed.test.ts',
    title:
      '[DE-12, CO-1] everything that is due on the hour starts together: a spread puts each job off by a span of its own',
  },
  {
    fault: 'work that must run one at a time runs several times at once',
    reports: ['timgit/pg-boss#367', 'breejs/bree#241'],
    file: 'test/complaints/missed.test.ts',
    title:
      '[OC-2, OW-2] work that must run one at a time runs several times at once after an outage or a crash: its key is held',
  },
  {
    fault: 'a resume fires what was passed, or forgets it',
    reports: [
      'apache/airflow#39867',
      'apache/airflow#19126',
      'apache/airflow#57488',
      'apache/airflow#38168',
      'apache/airflow#8776',
      'dagster-io/dagster#7010',
      'NousResearch/hermes-agent#114792',
      'vtmocanu/uzi#396',
      'vtmocanu/uzi#317',
    ],
    file: 'test/complaints/missed.test.ts',
    title:
      '[CT-5, MF-4] a resume fires what was passed, or forgets it: it says %s for this once, whatever is declared, and leaves a record',
  },
  {
    fault: 'a one-shot whose moment passed while a slot was taken never runs',
    reports: ['knacklabs/gantry#75'],
    file: 'test/complaints/missed.test.ts',
    title:
      '[OC-2, CO-5] a one-shot whose moment passed while another job ran never runs, and says nothing: it stays owed',
  },
  {
    fault: 'a run that outlasts its interval delays the missed one to the next time',
    reports: ['agronholm/apscheduler#1095'],
    file: 'test/complaints/missed.test.ts',
    title: '[OV-2, CO-1] a run that outlasts its interval has the missed one start at the next time: it starts at once',
  },
  {
    fault: 'the next time moves on though nothing ran',
    reports: ['greeves89/AI-Employee#631', 'greeves89/AI-Employee#769'],
    file: 'test/complaints/missed.test.ts',
    title:
      '[CO-5, OW-2] the next time moves on though nothing ran, and the list looks perfect: each instant has a record',
  },
  {
    fault: 'an instant is lost, or accounted for twice, by crashes and clocks',
    reports: ['greeves89/AI-Employee#631'],
    file: 'test/runtime/owner-property.test.ts',
    title: '[OC-2, OC-3, OC-6, CO-1, CO-5, OW-2, OW-3] runs each attempt once and accounts for each due instant once',
  },
  {
    fault: 'a one-shot in the past is dropped without a reason',
    reports: [
      'node-schedule/node-schedule#488',
      'node-schedule/node-schedule#511',
      'node-schedule/node-schedule#141',
      'node-schedule/node-schedule#407',
    ],
    file: 'test/runtime/client-register.test.ts',
    title: '[CT-4] lets a one-shot lie up to the grace in the past',
  },
];
