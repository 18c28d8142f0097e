public import Bytes
internal import Archives
internal import Glibc

/// Finds complete files in folders: those that are there, and those that come.
///
/// The folders themselves say what is there; the kernel's events only say where to look. So nothing
/// depends on an event being seen: what came before the start, and what came while more happened
/// than the kernel keeps, is found by walking.
///
/// A file is complete when its writer has closed it, when it was moved in, or when it has not changed
/// for a while; and when nobody has it open for writing, where the system can say.
public final class FolderWatcher {
  /// Something that a person should know; the folder or file, and what.
  public typealias Say = (_ path: String, _ what: String) -> Void

  private struct Pending {
    var mark: FileMark?
    /// When it last changed, as far as is known, in nanoseconds of a clock that nobody sets.
    var since: Int64
    var isClosed = false
    var isMoved = false
    /// When to look again.
    var ripe: Int64
  }

  let folders: [String]
  /// The same without links and from the root of the file system.
  private let absolute: [[UInt8]]
  private let settle: Int64
  private let stop: Int32
  private let say: Say
  private let inotify: Inotify
  private var watches: [Int32: Place] = [:]
  private var absent: Set<Int> = []
  private var pending: [Place: Pending] = [:]
  /// Folders that are to be walked, the last one first.
  private var queue: [Place] = []
  private var queued: Set<Place> = []
  private var walk: Walk?
  private var nextWalk: Int64 = 0
  private var isBlind = false
  /// Folders of which was told that they cannot be read.
  private var unreadable: Set<Place> = []
  /// Hashes of places and marks of files that are not to be handed over again.
  private var known: Set<Int> = []

  /// A folder that is being walked.
  private struct Walk {
    let folder: Place
    let names: NameTable
    var next = 0
  }

  /// Units that are being put together.
  private struct Batch {
    var units: [WaitingUnit] = []
    var owners: Set<Place> = []
    var count = 0
    var isFull: Bool { count >= WatchLimits.batch }
  }

  /// - Parameters:
  ///   - folders: Watched with everything below them, but for `done` and `refused` in each.
  ///   - settle: Nanoseconds without a change after which a file is complete that nobody was seen to
  ///     close.
  ///   - stop: A descriptor that can be read once it is time to stop.
  ///   - say: Told of folders that vanish and come back.
  /// - Throws: `FileError` when a folder cannot be opened, or the kernel cannot watch.
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

  /// The files that are complete and were not handed over yet, at most a batch of them; waits until
  /// there are some.
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

  /// Hands a file over no more, unless it changes.
  public func leave(_ file: WatchedFile) {
    known.insert(Self.key(file.pathBytes, file.mark))
  }

  /// The same for a file that is known from earlier.
  public func leave(path: [UInt8], mark: FileMark) { known.insert(Self.key(path, mark)) }

  /// Opens a file for reading.
  ///
  /// - Returns: The descriptor, which the caller closes.
  /// - Throws: `FileError` when it is gone, or something else by now.
  public func open(_ file: WatchedFile) throws(FileError) -> Int32 {
    try folder(file.place.folder).open(file.place.name)
  }

  func folder(_ place: Place) throws(FileError) -> FolderHandle {
    try FolderHandle(opening: folders[place.root]).folder(at: place.names)
  }

  private static func key(_ path: [UInt8], _ mark: FileMark) -> Int {
    var hasher = Hasher()
    hasher.combine(path)
    hasher.combine(mark)
    return hasher.finalize()
  }

  // MARK: Waiting

  private static var now: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  private static var wallClock: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  private func wait() {
    let now = Self.now
    var until = nextWalk
    for entry in pending.values { until = min(until, entry.ripe) }
    if !absent.isEmpty { until = min(until, now + WatchLimits.absence) }
    _ = hasToStop(within: max(0, until - now) / 1_000_000 + 1)
    if Self.now >= nextWalk { walkAll() }
    for root in absent.sorted() {
      guard let _ = try? FolderHandle(opening: folders[root]) else { continue }
      absent.remove(root)
      say(folders[root], "is back")
      enqueue(Place(root: root, path: []))
    }
  }

  /// Whether it is time to stop; waits for that or for an event so many milliseconds.
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
        say(folders[folder.root], "is gone; waiting for it")
      }
    case .folder:
      if Self.isWanted(event.name, in: folder) { enqueue(folder.child(event.name)) }
    case .closed, .moved, .appeared:
      guard Self.isWanted(event.name, in: folder) else { return }
      note(folder.child(event.name), isClosed: event.kind == .closed, isMoved: event.kind == .moved)
    }
  }

  // MARK: Files that are not complete

  private func note(_ place: Place, isClosed: Bool, isMoved: Bool) {
    let now = Self.now
    let delay = isMoved ? 0 : isClosed ? WatchLimits.pause : settle
    let entry = Pending(since: now, isClosed: isClosed, isMoved: isMoved, ripe: now + delay)
    add(entry, for: place)
  }

  private func add(_ entry: Pending, for place: Place) {
    guard pending[place] != nil || pending.count < WatchLimits.pending else {
      nextWalk = min(nextWalk, entry.ripe)
      return
    }
    pending[place] = entry
  }

  private func takePending(into batch: inout Batch) {
    let now = Self.now
    let ripe = pending.filter { $0.value.ripe <= now }.map(\.key)
      .sorted { $0.isBefore($1) }
    var last: (folder: Place, names: NameTable)?
    for place in ripe {
      if batch.isFull { return }
      let folder = place.folder
      do throws(FileError) {
        let handle = try self.folder(folder)
        if last?.folder != folder {
          last = (folder, try handle.names { Self.isWanted($0, in: folder) })
        }
        guard let names = last?.names else { continue }
        consider(place.name, in: folder, handle, names, &batch)
        // What is still waiting was noted anew.
        if let entry = pending[place], entry.ripe <= now { pending[place] = nil }
      } catch {
        pending[place] = nil
      }
    }
  }

  /// Whether a file is complete; if not, it is noted to be looked at again.
  private func isComplete(
    _ place: Place, _ status: FileStatus, in folder: borrowing FolderHandle
  ) -> Bool {
    let now = Self.now
    var entry = pending[place] ?? Pending(since: now, ripe: now)
    if let mark = entry.mark, mark != status.mark {
      entry = Pending(since: now, ripe: now)
    }
    entry.mark = status.mark
    let quiet = now - entry.since
    let isTold = status.mark.size > 0 && (entry.isMoved || entry.isClosed)
    let delay = !isTold ? settle : entry.isMoved ? 0 : WatchLimits.pause
    let age = Self.wallClock - status.changed
    guard quiet >= delay || age >= settle else {
      // A clock that was set back must not keep a file waiting.
      entry.ripe = entry.since + delay
      add(entry, for: place)
      return false
    }
    if Self.isBeingWritten(place.name, in: folder) {
      entry.since = now
      entry.ripe = now + max(settle, WatchLimits.pause)
      add(entry, for: place)
      return false
    }
    return true
  }

  /// Whether somebody has the file open for writing, as far as the system tells: it grants a lease
  /// for reading only when nobody has. Source: fcntl(2), "Leases".
  private static func isBeingWritten(
    _ name: [UInt8], in folder: borrowing FolderHandle
  ) -> Bool {
    let (setLease, readers, none): (Int32, Int32, Int32) = (1024, 0, 2)  // linux/fcntl.h
    guard let file = try? folder.open(name) else { return false }
    defer { close(file) }
    guard fcntl(file, setLease, readers) != 0 else {
      _ = fcntl(file, setLease, none)
      return false
    }
    return errno == EAGAIN
  }

  // MARK: Walking

  private func walkAll() {
    nextWalk = Self.now + (isBlind ? WatchLimits.blindWalk : WatchLimits.walk)
    for root in folders.indices.reversed() { enqueue(Place(root: root, path: [])) }
  }

  private func enqueue(_ folder: Place) {
    guard folder.names.count <= WatchLimits.depth, queued.insert(folder).inserted else { return }
    queue.append(folder)
  }

  /// Walks a few names further.
  ///
  /// - Returns: Whether there is more to walk.
  private func walkOn(into batch: inout Batch) -> Bool {
    if walk == nil {
      guard let folder = queue.popLast() else { return false }
      queued.remove(folder)
      begin(folder)
    }
    guard var current = walk else { return true }
    if current.next < current.names.count, let handle = try? folder(current.folder) {
      while current.next < current.names.count, !batch.isFull {
        let name = Array(current.names[current.next])
        current.next += 1
        consider(name, in: current.folder, handle, current.names, &batch)
      }
      walk = current.next < current.names.count ? current : nil
    } else {
      walk = nil
    }
    return walk != nil || !queue.isEmpty
  }

  private func begin(_ folder: Place) {
    if let owner = Self.owner(ofFolder: folder) { return wait(for: owner) }
    do throws(FileError) {
      let handle = try self.folder(folder)
      // The watch first: what comes after it is told, what came before is in the list.
      let watch = inotify.add(handle)
      if watch >= 0 {
        watches[watch] = folder
      } else if !isBlind {
        isBlind = true
        nextWalk = min(nextWalk, Self.now + WatchLimits.blindWalk)
        say(
          handle.shown, "cannot be watched (\(FileError("watch", path: "").reason)); "
            + "the folders are walked every \(WatchLimits.blindWalk / 1_000_000_000) s instead")
      }
      walk = Walk(folder: folder, names: try handle.names { Self.isWanted($0, in: folder) })
    } catch {
      if folder.path.isEmpty {
        guard absent.insert(folder.root).inserted else { return }
        say(folders[folder.root], "is gone (\(error.reason)); waiting for it")
      } else if error.code == EACCES && unreadable.insert(folder).inserted {
        say(error.path, "cannot be read: \(error.reason)")
      }
    }
  }

  /// Whether a name in a folder is looked at at all.
  private static func isWanted(
    _ name: some BidirectionalCollection<UInt8>, in folder: Place
  ) -> Bool {
    guard !IgnoredNames.contains(name) else { return false }
    return !folder.path.isEmpty
      || !Outbox.folders.contains { name.elementsEqual($0.utf8) }
  }

  // MARK: Units

  private static let folderSuffix = Array(".attachments".utf8)

  /// Adds what `name` belongs to, when that is complete.
  private func consider(
    _ name: [UInt8], in folder: Place, _ handle: borrowing FolderHandle, _ names: NameTable,
    _ batch: inout Batch
  ) {
    // Below a folder of attachments everything belongs to the file that it is called after.
    if let owner = Self.owner(ofFolder: folder) {
      try? considerOwner(owner, &batch)
      return
    }
    guard let status = handle.status(of: name) else { return }
    if status.kind == .folder {
      // Attachments are looked at with their report; debug files have a command of their own.
      let isOfFile = name.suffix(Self.folderSuffix.count) == Self.folderSuffix[...]
      if !isOfFile && !name.suffix(5).elementsEqual(".dSYM".utf8) { enqueue(folder.child(name)) }
      return
    }
    guard status.kind == .file else { return }
    for dot in name.indices.dropFirst() where name[dot] == UInt8(ascii: ".") {
      let owner = Array(name[..<dot])
      if names.contains(owner), handle.status(of: owner)?.kind == .file {
        return add(owner, in: folder, handle, names, &batch)
      }
    }
    add(name, in: folder, handle, names, &batch)
  }

  private func considerOwner(_ owner: Place, _ batch: inout Batch) throws(FileError) {
    guard !batch.owners.contains(owner) else { return }
    let folder = owner.folder
    let handle = try self.folder(folder)
    guard handle.status(of: owner.name)?.kind == .file else { return }
    let names = try handle.names { Self.isWanted($0, in: folder) }
    add(owner.name, in: folder, handle, names, &batch)
  }

  /// The file whose attachments lie in `folder`, by its name alone.
  private static func owner(ofFolder folder: Place) -> Place? {
    let names = folder.names
    guard
      let index = names.firstIndex(where: {
        $0.count > folderSuffix.count && $0.suffix(folderSuffix.count) == folderSuffix[...]
      })
    else { return nil }
    var owner = Place(root: folder.root, path: [])
    for name in names[..<index] { owner = owner.child(name) }
    return owner.child(names[index].dropLast(folderSuffix.count))
  }

  /// Adds a file with what belongs to it, unless something of it is not complete yet or all of it
  /// was handed over before.
  private func add(
    _ name: [UInt8], in folder: Place, _ handle: borrowing FolderHandle, _ names: NameTable,
    _ batch: inout Batch
  ) {
    let owner = folder.child(name)
    guard batch.owners.insert(owner).inserted else { return }
    guard let status = handle.status(of: name), isComplete(owner, status, in: handle) else { return }
    let file = watched(owner, status, in: handle, attachment: nil)
    var companions: [WatchedFile] = []
    for other in names.names(behind: name + [UInt8(ascii: ".")]) {
      guard let status = handle.status(of: other), status.kind == .file else { continue }
      let place = folder.child(other)
      guard isComplete(place, status, in: handle) else { return wait(for: owner) }
      let called = Array(other.dropFirst(name.count + 1))
      companions.append(watched(place, status, in: handle, attachment: (called, false)))
    }
    let attachments = folder.child(name + Self.folderSuffix)
    var hasFolder = false
    if handle.status(of: attachments.name)?.kind == .folder {
      hasFolder = true
      guard let found = try? self.attachments(in: attachments) else { return wait(for: owner) }
      companions += found
    }
    let all = [file] + companions
    for file in all { pending[file.place] = nil }
    guard all.contains(where: { !known.contains(Self.key($0.pathBytes, $0.mark)) }) else { return }
    batch.units.append(WaitingUnit(file: file, companions: companions, hasFolder: hasFolder))
    batch.count += all.count
  }

  /// Looks at a file again when what belongs to it may be complete.
  private func wait(for owner: Place) {
    let now = Self.now
    let ripe = now + max(settle, WatchLimits.pause)
    add(Pending(since: now - settle, ripe: ripe), for: owner)
  }

  private struct NotComplete: Error {}

  /// The files in a folder of attachments, those in its folders included.
  ///
  /// - Throws: When one is not complete yet.
  private func attachments(in folder: Place) throws -> [WatchedFile] {
    var files: [WatchedFile] = []
    var waiting: [(place: Place, called: [UInt8])] = [(folder, [])]
    while let (place, called) = waiting.popLast() {
      let handle = try self.folder(place)
      let names = try handle.names { !IgnoredNames.contains($0) }
      for index in 0..<names.count {
        let name = Array(names[index])
        guard let status = handle.status(of: name) else { continue }
        let child = place.child(name)
        if status.kind == .folder, child.names.count <= WatchLimits.depth {
          waiting.append((child, called + name + [0x2f]))
        }
        guard status.kind == .file, files.count < WatchLimits.attachments else { continue }
        guard isComplete(child, status, in: handle) else { throw NotComplete() }
        files.append(watched(child, status, in: handle, attachment: (called + name, true)))
      }
    }
    return files
  }

  private func watched(
    _ place: Place, _ status: FileStatus, in folder: borrowing FolderHandle,
    attachment: (name: [UInt8], isInFolder: Bool)?
  ) -> WatchedFile {
    WatchedFile(
      place: place, path: folder.shown(place.name),
      pathBytes: absolute[place.root] + [0x2f] + place.path, mark: status.mark,
      attachment: attachment)
  }
}
