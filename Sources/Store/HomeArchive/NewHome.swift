internal import Bytes
public import CrashStore
internal import Files
internal import Glibc

/// A folder next to a home in which a new one is built until it is complete.
///
/// Leftovers of a process that died are deleted; only one process works on it at a time.
struct NewHome {
  let path: String
  private let lock: LockFile

  /// - Throws: ``HomeArchiveError/busy(_:)``; `FileError`.
  init(at path: String) throws {
    guard let lock = try LockFile(path + ".lock") else { throw HomeArchiveError.busy(path) }
    self.path = path
    self.lock = lock
    Folder.remove(path)
  }

  /// Deletes the folder and its lock.
  func discard() {
    Folder.remove(path)
    lock.remove()
  }
}

extension HomeArchiveReader {
  /// Restores a home from a backup. It appears when it is complete; until then, and if this fails,
  /// the former home stays.
  ///
  /// - Parameters:
  ///   - isForced: Whether an existing home may be renamed to `HOME.before-restore`, with a number
  ///     if that exists already.
  ///   - adding: Writes the files of the backup into the home before it appears.
  /// - Returns: The restored counts, the sums that do not agree because they did not at the time of
  ///   the backup, and the path of the former home.
  /// - Throws: ``HomeArchiveError``, ``LoadError``, `ArchiveError`; `FileError`, `DatabaseError`.
  public func restore(
    to home: String, isForced: Bool,
    progress: @escaping (_ done: Int, _ total: Int) -> Void = { _, _ in },
    adding: (_ files: [ArchivedFile], _ home: String) throws -> Void = { _, _ in }
  ) throws -> (counts: HomeArchiveCounts, faults: [LedgerFault], former: String?) {
    var home = home
    while home.utf8.count > 1 && home.hasSuffix("/") { home.removeLast() }
    let isOccupied = try Self.isOccupied(home)
    guard isForced || !isOccupied else { throw HomeArchiveError.homeNotEmpty(home) }
    try Folder.makeAll(Folder.parent(of: home))
    let new = try NewHome(at: home + ".restoring")
    defer { new.discard() }
    let (counts, faults) = try fill(new.path, progress, adding)
    var former: String?
    if isOccupied {
      let aside = Self.freeName(home + ".before-restore")
      try Folder.rename(home, to: aside)
      former = aside
    }
    try Folder.rename(new.path, to: home)
    try Folder.sync(Folder.parent(of: home))
    return (counts, faults, former)
  }

  /// Whether the path for a home is occupied; a folder that cannot be read is treated as occupied.
  private static func isOccupied(_ home: String) throws(FileError) -> Bool {
    do throws(FileError) {
      return try !FolderNames.listed(home).isEmpty
    } catch {
      if error.code == ENOENT { return false }
      throw error
    }
  }

  /// Imports an export or a backup into a store that may have data; see
  /// ``CrashStore/Archive/importAll(from:progress:)``. The archive is first read and checked as a
  /// whole, into a temporary home.
  ///
  /// - Parameter treatment: The processing of reports before they are imported.
  /// - Throws: ``HomeArchiveError``, ``LoadError``, `ArchiveError`; `FileError`, `DatabaseError`,
  ///   and what ``CrashStore/Archive/importAll(from:progress:)`` throws.
  public func merge(
    into store: CrashStore, treatment: (any ImportTransform)? = nil,
    progress: @escaping (_ done: Int, _ total: Int) -> Void = { _, _ in }
  ) throws -> ImportCounts {
    let new = try NewHome(at: store.caches + "/import")
    defer { new.discard() }
    let (other, read, _) = try read(intoNew: new.path, isPartWelcome: true)
    var counts = try store.archive.importAll(from: other, treatment: treatment, progress: progress)
    counts.queued = read.queued
    counts.quarantined = read.quarantined
    return counts
  }

  /// Restores a backup into a home; the store is closed when this returns.
  private func fill(
    _ home: String, _ progress: @escaping (Int, Int) -> Void,
    _ adding: ([ArchivedFile], String) throws -> Void
  ) throws -> (HomeArchiveCounts, [LedgerFault]) {
    let (store, counts, files) = try read(intoNew: home, isPartWelcome: false, progress: progress)
    try adding(files, home)
    return (counts, try store.ledger.get().faults)
  }

  private static func freeName(_ name: String) -> String {
    var status = stat()
    var number = 1
    var free = name
    while lstat(free, &status) == 0 {
      number += 1
      free = "\(name)-\(number)"
    }
    return free
  }
}
