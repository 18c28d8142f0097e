public import CrashStore
internal import Bytes
internal import Glibc

/// A folder beside a home in which a new one is made, until it is whole.
///
/// What a process left in it that died meanwhile goes; while one is at it, no other is.
struct NewHome {
  let path: String
  private let lock: Int32

  /// - Throws: ``HomeArchiveError/busy(_:)``; `FileError`.
  init(at path: String) throws {
    self.path = path
    lock = try Self.lock(path + ".lock", of: path)
    Self.remove(path)
  }

  /// The lock of a file that still has its name: whoever had it before may have removed the file between
  /// the opening of it and the locking, and then others lock another one.
  private static func lock(_ file: String, of path: String) throws -> Int32 {
    while true {
      let lock = open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
      guard lock >= 0 else { throw FileError("open", path: file) }
      guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
        Glibc.close(lock)
        throw HomeArchiveError.busy(path)
      }
      var own = stat()
      var named = stat()
      if fstat(lock, &own) == 0, lstat(file, &named) == 0, own.st_ino == named.st_ino,
        own.st_dev == named.st_dev
      {
        return lock
      }
      Glibc.close(lock)
    }
  }

  /// Removes whatever is left of it.
  func discard() {
    Self.remove(path)
    unlink(path + ".lock")
    Glibc.close(lock)
  }

  /// Removes a folder with all that is in it; links are removed, not followed.
  static func remove(_ path: String) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      unlink(path)
      return
    }
    // Folders come before what is in them, and go after it.
    var folders = [path]
    var index = 0
    while index < folders.count {
      let folder = folders[index]
      index += 1
      for name in FolderNames.of(folder) {
        let inside = "\(folder)/\(name)"
        var status = stat()
        guard lstat(inside, &status) == 0 else { continue }
        if status.st_mode & S_IFMT == S_IFDIR { folders.append(inside) } else { unlink(inside) }
      }
    }
    for folder in folders.reversed() { rmdir(folder) }
  }
}

extension HomeArchiveReader {
  /// Makes a home of a backup. It appears when it is whole; until then, and when this fails, what
  /// stood there stays.
  ///
  /// - Parameters:
  ///   - isForced: Whether a home that is there may be put aside, as `HOME.before-restore`, with a
  ///     number where there is one already.
  ///   - adding: Puts the files of the backup into the home, before that appears.
  /// - Returns: What was restored, the sums that do not agree, as they did not when it was backed up,
  ///   and where the former home is.
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
    try HomeArchiveReader.makeParents(of: home)
    let new = try NewHome(at: home + ".restoring")
    defer { new.discard() }
    let (counts, faults) = try fill(new.path, progress, adding)
    var former: String?
    if isOccupied {
      let aside = Self.freeName(home + ".before-restore")
      guard rename(home, aside) == 0 else { throw FileError("rename", path: home) }
      former = aside
    }
    guard rename(new.path, home) == 0 else { throw FileError("rename", path: new.path) }
    Self.sync(Self.parent(of: home))
    return (counts, faults, former)
  }

  /// Whether anything stands where a home is to be; what cannot be looked into is occupied by somebody
  /// else.
  private static func isOccupied(_ home: String) throws(FileError) -> Bool {
    do throws(FileError) {
      return try !FolderNames.listed(home).isEmpty
    } catch {
      if error.code == ENOENT { return false }
      throw error
    }
  }

  /// Takes over what is in an export or a backup into a store that may have things; see
  /// ``CrashStore/importAll(from:progress:)``. The archive is read and checked as a whole first, into
  /// a home of its own that goes afterwards.
  ///
  /// - Parameter treatment: What is done to reports before they are taken over.
  /// - Throws: ``HomeArchiveError``, ``LoadError``, `ArchiveError`; `FileError`, `DatabaseError`, and
  ///   what ``CrashStore/importAll(from:progress:)`` throws.
  public func merge(
    into store: CrashStore, treatment: (any ImportTreatment)? = nil,
    progress: @escaping (_ done: Int, _ total: Int) -> Void = { _, _ in }
  ) throws -> ImportCounts {
    let new = try NewHome(at: store.caches + "/import")
    defer { new.discard() }
    let (other, read, _) = try read(intoNew: new.path, isPartWelcome: true)
    var counts = try store.importAll(from: other, treatment: treatment, progress: progress)
    counts.unfiled = read.unfiled
    return counts
  }

  /// The store is closed when this returns.
  private func fill(
    _ home: String, _ progress: @escaping (Int, Int) -> Void,
    _ adding: ([ArchivedFile], String) throws -> Void
  ) throws -> (HomeArchiveCounts, [LedgerFault]) {
    let (store, counts, files) = try read(intoNew: home, isPartWelcome: false, progress: progress)
    try adding(files, home)
    return (counts, try store.ledger().faults)
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

  private static func parent(of path: String) -> String {
    path.lastIndex(of: "/").map { $0 > path.startIndex ? String(path[..<$0]) : "/" } ?? "."
  }

  private static func makeParents(of path: String) throws {
    var start = path.startIndex
    while let slash = path[start...].dropFirst().firstIndex(of: "/") {
      let folder = String(path[..<slash])
      if mkdir(folder, 0o700) != 0 && errno != EEXIST {
        throw FileError("make folder", path: folder)
      }
      start = slash
    }
  }

  /// Waits until the names in a folder are on the disk, where the file system can tell.
  private static func sync(_ folder: String) {
    let file = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard file >= 0 else { return }
    fsync(file)
    Glibc.close(file)
  }
}
