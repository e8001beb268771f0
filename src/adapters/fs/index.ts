/**
 * Door `everdue/fs`: the workspace in a folder; the only door that touches a disk. Re-exports and nothing else.
 */
export { checkWorkspace, type WorkspaceFinding } from './check-workspace.js';
export { type EvidenceKept, type FileWorkspaceOptions, fileWorkspace } from './file-workspace.js';
