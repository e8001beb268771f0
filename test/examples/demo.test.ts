/** The demo as a newcomer sees it. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
// @ts-expect-error the example is plain JavaScript, as a user would have it
import { binaryStl, boxMesh, volumeOf } from './demo/box-mesh.mjs';

const demo = fileURLToPath(new URL('demo/main.mjs', import.meta.url));

describe('the demo', () => {
  it('[OC-9, OW-2] shows a run of each kind with its reason', () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [demo], { encoding: 'utf8', timeout: 60_000 });
    expect(stderr).toBe('');
    expect(status).toBe(0);
    expect(stdout).toContain('A simulated fortnight from 2026-10-12T05:00:00Z: 10 runs, 90 of 100 occurrences left.');
    expect(stdout).toContain('2026-10-12T14:00:00.000Z  succeeded  published/body.stl (684 bytes)  1000 mm3');
    expect(stdout).toMatch(/succeeded +1 +published and read back published\/body\.stl, 684 bytes/);
    expect(stdout).toMatch(/skipped +\d+ +coalesced: /);
    expect(stdout).toMatch(/skipped +\d+ +misfire: /);
    expect(stdout).toMatch(/interrupted +1 +ownerDied: /);
    expect(stdout).toMatch(/by epoch 1, commit \d+ +none was recorded/);
  });

  it('builds a box that is closed, and a file that an STL reader accepts', () => {
    const mesh: readonly (readonly number[][])[] = boxMesh([2, 3, 4]);
    const edges = mesh.flatMap((triangle) => triangle.map((from, i) => [from, triangle[(i + 1) % 3]].join('>')));
    const reversed = mesh.flatMap((triangle) => triangle.map((from, i) => [triangle[(i + 1) % 3], from].join('>')));
    expect(new Set(edges)).toEqual(new Set(reversed));
    expect(volumeOf(mesh)).toBeCloseTo(24);
    const file: Buffer = binaryStl(mesh, 'box');
    expect(file.readUInt32LE(80)).toBe(12);
    expect(file.length).toBe(84 + 50 * 12);
  });
});
