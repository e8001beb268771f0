// The geometry of a box, as a closed triangle mesh, and its binary STL file. Pure: numbers in, bytes out.

/** Corners of the six faces, each seen from outside in counter-clockwise order; bit 0 is x, bit 1 y, bit 2 z. */
const FACES = [
  [0, 2, 3, 1],
  [4, 5, 7, 6],
  [0, 1, 5, 4],
  [2, 6, 7, 3],
  [0, 4, 6, 2],
  [1, 3, 7, 5],
];

/** Twelve triangles of a box with one corner at the origin. */
export function boxMesh([length, width, height]) {
  const corner = (bits) => [bits & 1 ? length : 0, bits & 2 ? width : 0, bits & 4 ? height : 0];
  return FACES.flatMap(([a, b, c, d]) => [
    [corner(a), corner(b), corner(c)],
    [corner(a), corner(c), corner(d)],
  ]);
}

/** Volume inside of a closed mesh whose triangles face outward. */
export function volumeOf(triangles) {
  const signed = triangles.map(([a, b, c]) => dot(a, cross(b, c)) / 6);
  return signed.reduce((sum, volume) => sum + volume, 0);
}

/** The mesh as a binary STL file: 80 bytes of header, a count, then 50 bytes a triangle. */
export function binaryStl(triangles, title) {
  const bytes = Buffer.alloc(84 + 50 * triangles.length);
  bytes.write(title.slice(0, 80), 0, 'ascii');
  bytes.writeUInt32LE(triangles.length, 80);
  triangles.forEach(([a, b, c], index) => {
    const numbers = [...normalOf(a, b, c), ...a, ...b, ...c];
    numbers.forEach((value, i) => {
      bytes.writeFloatLE(value, 84 + 50 * index + 4 * i);
    });
  });
  return bytes;
}

function normalOf(a, b, c) {
  const normal = cross(minus(b, a), minus(c, a));
  const length = Math.hypot(...normal);
  return normal.map((value) => value / length);
}

function minus([ax, ay, az], [bx, by, bz]) {
  return [ax - bx, ay - by, az - bz];
}

function cross([ax, ay, az], [bx, by, bz]) {
  return [ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx];
}

function dot([ax, ay, az], [bx, by, bz]) {
  return ax * bx + ay * by + az * bz;
}
