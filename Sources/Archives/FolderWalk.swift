internal import Bytes
internal import Glibc

/// Finds the files below paths, in an order that depends on their names alone.
///
/// Symbolic links are followed; a folder that was walked already is not walked again, so that links
/// in a circle end. Only the names in the folders on the way down are in memory.
struct FolderWalk {
  /// What was found under a path.
  enum Found {
    case file(stat)
    /// A pipe or a terminal that was named itself.
    case stream
    case refused(InputError)
  }

  struct Item {
    let path: [UInt8]
    let found: Found
  }

  private struct FileKey: Hashable {
    let device: UInt64
    let number: UInt64
  }

  /// A folder whose names are being gone through.
  private struct Level {
    let path: [UInt8]
    /// Sorted, last first.
    var names: [[UInt8]]
  }

  private var levels: [Level] = []
  private var walked: Set<FileKey> = []

  /// Hands everything at or below `root` to `body`.
  ///
  /// - Returns: Whether `body` wants more.
  mutating func walk(_ root: [UInt8], body: (Item) -> InputStep) -> InputStep {
    levels.removeAll()
    if visit(root, isNamed: true, body: body) == .stop { return .stop }
    while let level = levels.indices.last {
      guard let name = levels[level].names.popLast() else {
        levels.removeLast()
        continue
      }
      let folder = levels[level].path
      let path = folder.last == UInt8(ascii: "/") ? folder + name : folder + [0x2f] + name
      if visit(path, isNamed: false, body: body) == .stop { return .stop }
    }
    return .next
  }

  /// - Parameter isNamed: Whether the caller named the path itself.
  private mutating func visit(
    _ path: [UInt8], isNamed: Bool, body: (Item) -> InputStep
  ) -> InputStep {
    var status = stat()
    guard path.withCPath({ stat($0, &status) }) == 0 else {
      return body(Item(path: path, found: .refused(.file(failure("open", path)))))
    }
    switch status.st_mode & S_IFMT {
    case S_IFDIR: return enter(path, status, body: body)
    case S_IFREG: return body(Item(path: path, found: .file(status)))
    case S_IFIFO where isNamed, S_IFCHR where isNamed:
      return body(Item(path: path, found: .stream))
    case S_IFIFO: return body(Item(path: path, found: .refused(.special("a named pipe"))))
    case S_IFSOCK: return body(Item(path: path, found: .refused(.special("a socket"))))
    default: return body(Item(path: path, found: .refused(.special("a device"))))
    }
  }

  private mutating func enter(
    _ path: [UInt8], _ status: stat, body: (Item) -> InputStep
  ) -> InputStep {
    let key = FileKey(device: UInt64(status.st_dev), number: UInt64(status.st_ino))
    guard walked.insert(key).inserted else { return .next }
    if Self.isDebugBundle(path) {
      return body(Item(path: path, found: .refused(.debugFile)))
    }
    guard let folder = path.withCPath({ opendir($0) }) else {
      return body(Item(path: path, found: .refused(.file(failure("open", path)))))
    }
    defer { closedir(folder) }
    var names: [[UInt8]] = []
    while true {
      errno = 0
      guard let entry = readdir(folder) else { break }
      let name = Self.name(of: entry)
      if name != [0x2e] && name != [0x2e, 0x2e] { names.append(name) }
    }
    let code = errno
    names.sort { $1.lexicographicallyPrecedes($0) }
    levels.append(Level(path: path, names: names))
    guard code == 0 else {
      // What was listed before the error is walked all the same.
      let error = FileError("read", path: DisplayText.escaped(path), code: code)
      return body(Item(path: path, found: .refused(.file(error))))
    }
    return .next
  }

  /// Whether a path names a bundle of debug information, or something in one.
  static func isDebugBundle(_ path: some Sequence<UInt8>) -> Bool {
    Array(path).split(separator: 0x2f).last?.suffix(5) == Array(".dSYM".utf8)[...]
  }

  private func failure(_ action: String, _ path: [UInt8]) -> FileError {
    let code = errno
    var status = stat()
    let isDangling =
      code == ENOENT && path.withCPath({ lstat($0, &status) }) == 0
      && status.st_mode & S_IFMT == S_IFLNK
    return FileError(
      action, path: DisplayText.escaped(path), code: code,
      detail: isDangling ? "the symbolic link leads nowhere" : nil)
  }

  /// The entry's name is a field of fixed size in C, which Swift imports as a tuple.
  private static func name(of entry: UnsafeMutablePointer<dirent>) -> [UInt8] {
    guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else { return [] }
    let name = UnsafeRawPointer(entry).advanced(by: offset)
    let count = strlen(name.assumingMemoryBound(to: CChar.self))
    return Array(UnsafeRawBufferPointer(start: name, count: count))
  }
}
