internal import Bytes
internal import Files
internal import Glibc

/// Files that are not complete.
extension FolderWatcher {
  func note(_ path: WatchedPath, isClosed: Bool, isMoved: Bool) {
    let now = SteadyClock.nanoseconds
    let delay = isMoved ? 0 : isClosed ? WatchLimits.pause : settle
    let entry = Pending(since: now, isClosed: isClosed, isMoved: isMoved, ripe: now + delay)
    add(entry, for: path)
  }

  func add(_ entry: Pending, for path: WatchedPath) {
    guard pending[path] != nil || pending.count < WatchLimits.pending else {
      nextWalk = min(nextWalk, entry.ripe)
      return
    }
    pending[path] = entry
  }

  func takePending(into batch: inout Batch) {
    let now = SteadyClock.nanoseconds
    let ripe = pending.filter { $0.value.ripe <= now }.map(\.key)
      .sorted { $0.isBefore($1) }
    var last: (folder: WatchedPath, names: SortedNames)?
    for path in ripe {
      if batch.isFull { return }
      let folder = path.folder
      do throws(FileError) {
        let handle = try self.folder(folder)
        if last?.folder != folder {
          last = (folder, try handle.names { Self.isWanted($0, in: folder) })
        }
        guard let names = last?.names else { continue }
        consider(path.name, in: folder, handle, names, &batch)
        // Files that still wait have a new entry.
        if let entry = pending[path], entry.ripe <= now { pending[path] = nil }
      } catch {
        pending[path] = nil
      }
    }
  }

  /// Whether a file is complete; if not, it is recorded for another check.
  func isComplete(
    _ path: WatchedPath, _ status: FileStatus, in folder: borrowing FolderHandle
  ) -> Bool {
    let now = SteadyClock.nanoseconds
    var entry = pending[path] ?? Pending(since: now, ripe: now)
    if let mark = entry.mark, mark != status.mark {
      entry = Pending(since: now, ripe: now)
    }
    entry.mark = status.mark
    let quiet = now - entry.since
    let isTold = status.mark.size > 0 && (entry.isMoved || entry.isClosed)
    let delay = !isTold ? settle : entry.isMoved ? 0 : WatchLimits.pause
    let age = WallClock.nanoseconds - status.changed
    guard quiet >= delay || age >= settle else {
      // A clock that was set back must not delay a file.
      entry.ripe = entry.since + delay
      add(entry, for: path)
      return false
    }
    if Self.isBeingWritten(path.name, in: folder) {
      entry.since = now
      entry.ripe = now + max(settle, WatchLimits.pause)
      add(entry, for: path)
      return false
    }
    return true
  }

  /// Whether a process has the file open for writing, as far as the system shows: it grants a read lease only
  /// if none has. Source: fcntl(2), "Leases".
  private static func isBeingWritten(
    _ name: [UInt8], in folder: borrowing FolderHandle
  ) -> Bool {
    let (setLease, readers, none): (Int32, Int32, Int32) = (1024, 0, 2)  // linux/fcntl.h
    guard let file = try? folder.open(name) else { return false }
    guard fcntl(file.number, setLease, readers) != 0 else {
      _ = fcntl(file.number, setLease, none)
      return false
    }
    return errno == EAGAIN
  }
}
