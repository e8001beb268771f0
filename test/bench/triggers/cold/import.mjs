/** In a cold process: imports what its arguments name and nothing else, and tells what the process has used by then. */
for (const name of process.argv.slice(2)) await import(name);
const { user, system } = process.cpuUsage();
console.log(JSON.stringify({ cpuMs: (user + system) / 1000 }));
