public import Bytes
public import Files
internal import Glibc

/// Finds complete files in folders: existing files and new ones.
///
/// Walking decides which files there are; the kernel's events only say where to look. So nothing depends on
/// an event being seen: files that came before the start, or when the kernel's queue overflowed, are found by
/// walking.
///
/// A file is complete when its writer has closed it, when it was moved in, or when it has not changed for a
/// while; and no process has it open for writing, where the system can tell.
public final class FolderWatcher {
  /// Prints a message for the operator: the folder or file, and what happened.
  public typealias Say = (_ path: String, _ what: String) -> Void

  struct Pending {
    var mark: FileMark?
    /// When it last changed, as far as is known, in nanoseconds of a monotonic clock.
    var since: Int64
    var isClosed = false
    var isMoved = false
    /// When to look again.
    var ripe: Int64
  }

  let folders: [String]
  /// The folders as absolute paths without symbolic links.
  let absolute: [[UInt8]]
  let settle: Int64
  private let stop: Int32
  let say: Say
  let inotify: Inotify
  var watches: [Int32: WatchedPath] = [:]
  var absent: Set<Int> = []
  var pending: [WatchedPath: Pending] = [:]
  /// Folders to be walked, the last one first.
  var queue: [WatchedPath] = []
  var queued: Set<WatchedPath> = []
  var walk: Walk?
  var nextWalk: Int64 = 0
  var isBlind = false
  /// Unreadable folders that were reported.
  var unreadable: Set<WatchedPath> = []
  /// Hashes of paths and marks of files that are not to be handed over again.
  var known: Set<Int> = []

  /// A folder that is being walked.
  struct Walk {
    let folder: WatchedPath
    let names: SortedNames
    var next = 0
  }

  /// Units that are being assembled.
  struct Batch {
    var units: [WaitingUnit] = []
    var owners: Set<WatchedPath> = []
    var count = 0
    var isFull: Bool { count >= WatchLimits.batch }
  }

  /// - Parameters:
  ///   - folders: Watched with everything below them, except `done` and `refused` in each.
  ///   - settle: Nanoseconds without a change after which a file is complete whose close was not seen.
  ///   - stop: A descriptor that becomes readable when it is time to stop.
  ///   - say: Called for folders that disappear and return.
  /// - Throws: `FileError` when a folder cannot be opened, or the kernel has no watches.
  public init(
    _ folders: [String], settle: Int64, stop: Int32, say: @escaping Say
  ) throws(FileError) {
    self.folders = folders.map { folder in
      var folder = folder
      while folder.count > 1 && folder.hasSuffix("/") { folder.removeLast() }
      return folder
    }
    absolute = self.folders.map { folder in
      guard let real = realpath(folder, nil) else { return Array(folder.utf8) }
      defer { free(real) }
      return Array(String(cString: real).utf8)
    }
    self.settle = settle
    self.stop = stop
    self.say = say
    inotify = try Inotify()
    for folder in self.folders { _ = try FolderHandle(opening: folder) }
    walkAll()
  }

  /// The complete files that were not handed over yet, at most one batch; waits until there are any.
  ///
  /// - Returns: `nil` when it is time to stop.
  public func next() -> [WaitingUnit]? {
    while !hasToStop(within: 0) {
      takeEvents()
      var batch = Batch()
      takePending(into: &batch)
      while !batch.isFull, walkOn(into: &batch) {}
      if !batch.units.isEmpty { return batch.units }
      wait()
    }
    return nil
  }

  /// Excludes a file from being handed over again, unless it changes.
  public func leave(_ file: WatchedFile) {
    known.insert(Self.key(file.pathBytes, file.mark))
  }

  /// Excludes a file that was handled by an earlier run.
  public func leave(path: [UInt8], mark: FileMark) { known.insert(Self.key(path, mark)) }

  /// Opens a file for reading.
  ///
  /// - Throws: `FileError` if it was deleted or replaced.
  public func open(_ file: WatchedFile) throws(FileError) -> OpenFile {
    try folder(file.watchedPath.folder).open(file.watchedPath.name)
  }

  func folder(_ path: WatchedPath) throws(FileError) -> FolderHandle {
    try FolderHandle(opening: folders[path.root]).folder(at: path.names)
  }

  static func key(_ path: [UInt8], _ mark: FileMark) -> Int {
    var hasher = Hasher()
    hasher.combine(path)
    hasher.combine(mark)
    return hasher.finalize()
  }

  // MARK: Waiting

  private func wait() {
    let now = SteadyClock.nanoseconds
    var until = nextWalk
    for entry in pending.values { until = min(until, entry.ripe) }
    if !absent.isEmpty { until = min(until, now + WatchLimits.absence) }
    _ = hasToStop(within: max(0, until - now) / 1_000_000 + 1)
    if SteadyClock.nanoseconds >= nextWalk { walkAll() }
    for root in absent.sorted() {
      guard let _ = try? FolderHandle(opening: folders[root]) else { continue }
      absent.remove(root)
      say(folders[root], "is back")
      enqueue(WatchedPath(root: root, path: []))
    }
  }

  /// Whether it is time to stop; waits at most `milliseconds` for that or for an event.
  private func hasToStop(within milliseconds: Int64) -> Bool {
    var waiting = [
      pollfd(fd: stop, events: Int16(POLLIN), revents: 0),
      pollfd(fd: inotify.descriptor, events: Int16(POLLIN), revents: 0),
    ]
    poll(&waiting, 2, Int32(clamping: milliseconds))
    return waiting[0].revents != 0
  }

  private func takeEvents() {
    while true {
      let events = inotify.next()
      if events.isEmpty { return }
      for event in events { take(event) }
    }
  }

  private func take(_ event: Inotify.Event) {
    if event.kind == .overflow { return walkAll() }
    guard let folder = watches[event.watch] else { return }
    switch event.kind {
    case .overflow: break
    case .ended: watches[event.watch] = nil
    case .gone:
      if folder.path.isEmpty && absent.insert(folder.root).inserted {
        say(folders[folder.root], "is missing; waiting for its return")
      }
    case .folder:
      if Self.isWanted(event.name, in: folder) { enqueue(folder.child(event.name)) }
    case .closed, .moved, .appeared:
      guard Self.isWanted(event.name, in: folder) else { return }
      note(folder.child(event.name), isClosed: event.kind == .closed, isMoved: event.kind == .moved)
    }
  }
}
