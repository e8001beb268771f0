/** `everdue schedule serve`: an owner in the foreground, its signals and its exit codes. */
import { describe, expect, it } from 'vitest';
import { cliHost, declaration } from './cli-host.js';

const HANGS = { document: { version: 'report/1', act: 'hang' } };

describe('everdue schedule serve', () => {
  it('[SF-1, OW-4] runs what is asked for while it runs, and SIGTERM ends it with exit code 0', async () => {
    const host = cliHost();
    await host.schedule(['create', '-'], declaration('byhand'));
    const owner = await host.serve();
    await host.schedule(['trigger', 'byhand', '--request-id', 'x']);
    expect(await owner.printed('byhand~1~m~x succeeded')).toMatch(/^\S+Z serving \S+work \(epoch 1, process \d+\)/);
    owner.signal('SIGTERM');
    expect(await owner.ended).toMatchObject({ code: 0, stderr: '' });
  });

  it('[SF-1, OW-7] prints one JSON object a line for programs', async () => {
    const host = cliHost();
    await host.schedule(['create', '-'], declaration('byhand', { document: { version: 'report/1', act: 'fail' } }));
    await host.schedule(['trigger', 'byhand', '--request-id', 'x']);
    const owner = await host.serve('--json');
    await owner.printed('"failed"');
    owner.signal('SIGINT');
    const { code, stdout } = await owner.ended;
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(code).toBe(0);
    expect(lines[0]).toMatchObject({ type: 'serving', epoch: 1, pid: expect.any(Number) });
    expect(lines.find(({ type }) => type === 'occurrence')).toMatchObject({
      occurrence: 'byhand~1~m~x',
      status: 'failed',
      fault: { code: 'handlerFailed', message: 'no paper' },
    });
    expect(lines.at(-1)).toMatchObject({ type: 'owner', change: 'stopped' });
  });

  it('[SF-1, OW-1] a second owner is refused at once with who holds the workspace, exit code 75', async () => {
    const host = cliHost();
    const owner = await host.serve();
    const second = await host.scheduleJson(['serve']);
    expect(second).toMatchObject({
      code: 75,
      error: { code: 'SCHEDULE_LOCK_HELD', details: { pid: expect.any(Number), since: expect.any(String) } },
    });
    expect(await host.scheduleJson(['tick'])).toMatchObject({ code: 75 });
    expect(await host.scheduleJson(['status'])).toMatchObject({ value: { owner: { isAlive: true } } });
    owner.signal('SIGTERM');
    expect(await owner.ended).toMatchObject({ code: 0 });
  });

  it('[SF-1, OW-4] a second signal ends it at once, and what ran is interrupted', async () => {
    const host = cliHost();
    await host.schedule(['create', '-'], declaration('byhand', HANGS));
    await host.schedule(['trigger', 'byhand', '--request-id', 'x']);
    const owner = await host.serve('--drain-seconds', '600');
    await owner.printed('hanging');
    owner.signal('SIGTERM');
    await owner.printed('owner stopping');
    owner.signal('SIGTERM');
    expect(await owner.ended).toMatchObject({ code: 130, stderr: expect.stringContaining('SCHEDULE_ABORTED') });
    await host.schedule(['tick']);
    const { stdout } = await host.schedule(['show', 'byhand']);
    expect(stdout).toContain('ownerDied: the owner ended without recording an outcome');
    expect(stdout).toContain('was interrupted and nobody has resolved it');
    const resolved = await host.scheduleJson([
      'resolve',
      'byhand',
      'byhand~1~m~x',
      '--verdict',
      'notDone',
      '--note',
      'the tray was empty',
    ]);
    expect(resolved).toMatchObject({ code: 0, value: { status: 'interrupted', verdict: { verdict: 'notDone' } } });
  });

  it('[SF-1, OC-11, OW-4] what does not end within the drain limit is interrupted, and the stop is clean', async () => {
    const host = cliHost();
    await host.schedule(['create', '-'], declaration('byhand', HANGS));
    await host.schedule(['trigger', 'byhand', '--request-id', 'x']);
    const owner = await host.serve('--drain-seconds', '0');
    await owner.printed('hanging');
    owner.signal('SIGTERM');
    const { code, stdout } = await owner.ended;
    expect(code).toBe(0);
    expect(stdout).toContain('byhand~1~m~x interrupted, unresponsive: ');
  });
});
