/**
 * Door `everdue/fs`: the workspace in a folder; the only door that touches a disk. Re-exports and nothing else.
 */
export { checkWorkspace } from '../../checker/check-workspace.js';
export { INVARIANTS, type Invariant, type InvariantFacts, type WorkspaceFinding } from '../../checker/finding.js';
export { type EvidenceKept, type FileWorkspaceOptions, fileWorkspace } from './file-workspace.js';
export type { RepairAction } from './repair/kept-bytes.js';
export { type RepairOptions, repairWorkspace, type WorkspaceRepair } from './repair/repair-workspace.js';
