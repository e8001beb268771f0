/** Fault kinds of schedulers in use, where people told of them, and the test that each must not exist here: growth, durability. */
import type { Complaint } from '../complaint.js';

export const GROWTH: readonly Complaint[] = [
  {
    fault: 'finished jobs stay; once they are removed, they run again',
    reports: ['agenda/agenda#683', 'dagster-io/dagster#14555'],
    file: 'test/complaints/growth.test.ts',
    title:
      '[ST-6, OC-1] finished jobs stay, and the store grows; when old ones are removed their jobs run again: neither',
  },
  {
    fault: 'a catalogue in memory grows for ever',
    reports: ['kelektiv/node-cron#287'],
    file: 'test/complaints/growth.test.ts',
    title:
      '[ST-6, CO-6, OC-1] a process that keeps its catalogue in memory grows for ever: its history is bounded, and what went is kept in mind',
  },
  {
    fault: 'memory grows over days',
    reports: ['node-cron/node-cron#378', 'node-cron/node-cron#404', 'kelektiv/node-cron#287'],
    file: 'test/complaints/growth.test.ts',
    title: '[ST-6, OW-8] it grows over days: after five times as many runs a process holds no more than before',
  },
  {
    fault: 'each evaluation makes a date formatter',
    reports: ['node-cron/node-cron#358', 'node-cron/node-cron#366'],
    file: 'test/complaints/growth.test.ts',
    title:
      '[TR-9, OW-8] each evaluation makes a date formatter, which is never freed: a zone has one, however often it is asked',
  },
  {
    fault: 'deleted and finished jobs stay referenced',
    reports: ['node-cron/node-cron#348', 'node-schedule/node-schedule#478', 'node-schedule/node-schedule#494'],
    file: 'test/complaints/growth.test.ts',
    title:
      '[CT-7, OW-3] deleted, cancelled and finished jobs stay referenced, and wake the owner: nothing of them is left to look at',
  },
  {
    fault: 'listeners pile up',
    reports: ['node-cron/node-cron#378'],
    file: 'test/complaints/growth.test.ts',
    title:
      '[CT-1, ST-5] listeners pile up on a signal, a watch or an observer that lives long: each call leaves none behind',
  },
  {
    fault: 'files stay open',
    reports: ['node-cron/node-cron#378'],
    file: 'test/complaints/growth.test.ts',
    title:
      '[ST-5, OW-4] each restart inside one process leaves a file, a lock or a watch open: closing closes all of it',
  },
  {
    fault: 'pruning brings an occurrence back',
    reports: ['dagster-io/dagster#14555'],
    file: 'test/adapters/fs/roll-over.test.ts',
    title: '[ST-6] pruning takes whole files and leaves the newest records; nothing runs again',
  },
  {
    fault: 'marks of interrupted runs grow for ever',
    reports: ['kelektiv/node-cron#287'],
    file: 'test/core/transition/attempts.test.ts',
    title: '[CT-16] a schedule keeps the newest 1000 unresolved interruptions in mind',
  },
  {
    fault: 'request ids make each commit dearer',
    reports: ['agenda/agenda#683'],
    file: 'test/adapters/fs/kept-requests.test.ts',
    title: '[OC-1, ST-1, ST-6] a commit costs the same with 20000 of them; roll-over, pruning and reopening keep them',
  },
];

export const DURABILITY: readonly Complaint[] = [
  {
    fault: 'a power cut empties files, or brings an older state back',
    reports: ['marktext/marktext#4852', 'plur-ai/plur#796'],
    file: 'test/complaints/durability.test.ts',
    title: '[ST-2, OC-3, OW-2] it empties files, or brings an older state back, so that jobs are lost or run again: %s',
  },
  {
    fault: 'an empty file is read as an empty catalogue, and saved over good data',
    reports: ['marktext/marktext#4852', 'plur-ai/plur#796'],
    file: 'test/complaints/durability.test.ts',
    title:
      '[ST-2, ST-3] an empty or zero-filled file is read as an empty catalogue, and saved over the good data: it is refused, and stays',
  },
  {
    fault: 'a scanner makes renames fail',
    reports: ['npm/write-file-atomic#227', 'npm/write-file-atomic#28'],
    file: 'test/complaints/durability.test.ts',
    title: '[ST-1, ST-2] a virus scanner makes each rename fail, and nothing can be saved: a run needs none',
  },
  {
    fault: 'a write that came out short is taken for the whole',
    reports: ['fabiospampinato/atomically#18', 'coder/xum#4282'],
    file: 'test/complaints/durability.test.ts',
    title:
      '[ST-2, ST-4] a write that came out short is taken for the whole: nothing of it counts, and the next one is complete',
  },
  {
    fault: 'writes at the same time interfere',
    reports: ['npm/write-file-atomic#49'],
    file: 'test/complaints/durability.test.ts',
    title: '[ST-5] writes of several processes at the same time interfere: each change of each of them is there',
  },
  {
    fault: 'a restored backup fires everything again',
    reports: ['ohdearquant/khive#783'],
    file: 'test/complaints/durability.test.ts',
    title:
      '[CO-6, OC-3] a restored backup fires everything again: it stops at the first directory that it does not know of',
  },
  {
    fault: 'a job that cannot keep its evidence is run again and again',
    reports: ['marktext/marktext#4852'],
    file: 'test/complaints/durability.test.ts',
    title:
      '[ST-4, OC-8] a job that could not keep its evidence is run again and again: it fails with the reason, as often as its budget says',
  },
  {
    fault: 'a power cut while a workspace is made keeps it from being opened',
    reports: ['etcd-io/etcd#16596'],
    file: 'test/sim/found-faults.test.ts',
    title: '[OW-1, ST-2] a power cut at any step of making a workspace leaves one that can be made and owned:',
  },
  {
    fault: 'a full disk at any byte of a record',
    reports: ['coder/xum#4282'],
    file: 'test/adapters/fs/damage.test.ts',
    title: '[ST-4] a disk that is full after some bytes: not committed, and nothing of it is ever seen',
  },
  {
    fault: 'a file that cannot be opened again leaves a process stuck',
    reports: ['taskforcesh/bullmq#1658'],
    file: 'test/adapters/fs/reopening.test.ts',
    title:
      '[ST-4, ST-1, ST-5] any file, at any moment of commits, a failed flush and a roll-over: the same process always goes on',
  },
  {
    fault: 'a former state is taken for the one that was read (ABA)',
    reports: ['quartz-scheduler/quartz#280'],
    file: 'test/runtime/commit.test.ts',
    title: '[ST-5] decides again after a conflict, on what the other process left',
  },
];
