internal import Bytes
internal import Files
internal import Glibc

/// Bodies that are too large for a row of the database, one file each.
struct BodyFolder: Sendable {
  let path: String
  /// Lets tests act between the steps of writing a file.
  var pause: IntakePause = { _ in }

  /// Seconds after which unreferenced files belong to submissions that were never accepted.
  private static let leftoverAge = 3_600
  /// Maximum number of leftovers held at a time: each is a descriptor.
  private static let leftoverCount = 100
  private static let suffix = ".body"

  /// Writes a file that is on disk, under its name, when this returns.
  ///
  /// - Returns: The file. While it is held, it is not treated as a leftover.
  func write(_ body: ByteView) throws(FileError) -> LockedFile {
    let name = RandomBytes.hex(16) + Self.suffix
    let file = try LockedFile(name, in: path, pause: IntakeStep.ofFile(pause)) {
      (file: borrowing OpenFile) throws(FileError) in
      try body.write(to: file.number, named: name)
    }
    do {
      try sync()
    } catch {
      remove(name)
      throw error
    }
    return file
  }

  func read(_ name: String) throws(FileError) -> ByteView {
    guard Self.isOwn(name) else { throw FileError("open", path: name, code: EINVAL) }
    return try ByteView(mapping: path + "/" + name)
  }

  /// The size of a body's file; `nil` where there is none.
  ///
  /// - Throws: `FileError` where that cannot be determined.
  func size(of name: String) throws(FileError) -> Int? {
    guard Self.isOwn(name) else { return nil }
    var status = stat()
    if stat(path + "/" + name, &status) == 0 { return Int(status.st_size) }
    guard errno == ENOENT else { throw FileError("look at", path: path + "/" + name) }
    return nil
  }

  func remove(_ name: String) {
    if Self.isOwn(name) { unlink(path + "/" + name) }
  }

  /// Whether a name is a plain file name: a row that was tampered with may name any file.
  static func isOwn(_ name: String) -> Bool {
    !name.isEmpty && !name.utf8.contains(UInt8(ascii: "/"))
  }

  func sync() throws(FileError) {
    try Folder.sync(path)
  }

  /// Old files that no process holds: bodies, which a submission may reference, and files that were
  /// never finished.
  ///
  /// While they are held no other process removes them, and their writers have ended: whatever those
  /// acknowledged is in a log.
  func leftovers() throws(FileError) -> (bodies: [LockFile], unfinished: [LockFile]) {
    var left: (bodies: [LockFile], unfinished: [LockFile]) = ([], [])
    for name in try FolderNames.listed(path) {
      let isUnfinished = name.hasSuffix(LockedFile.unfinished)
      var status = stat()
      guard isUnfinished || name.hasSuffix(Self.suffix), stat(path + "/" + name, &status) == 0,
        WallClock.seconds - status.st_mtim.tv_sec > Self.leftoverAge,
        left.bodies.count + left.unfinished.count < Self.leftoverCount,
        let file = LockFile(leftAt: path + "/" + name)
      else { continue }
      if isUnfinished { left.unfinished.append(file) } else { left.bodies.append(file) }
    }
    return left
  }
}
