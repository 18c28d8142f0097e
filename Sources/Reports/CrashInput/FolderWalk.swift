internal import Bytes
internal import Files
internal import Glibc

/// Finds the files below paths, in an order that depends on their names alone.
///
/// Symbolic links are followed; a folder that was walked is not walked again, so that circular links end.
/// Only the names in the folders on the way down are in memory. Files that belong to another come after it.
struct FolderWalk {
  /// A file or folder under a path.
  enum Found {
    case file(stat)
    /// A pipe or a terminal that the caller named.
    case stream
    /// A folder that is one report.
    case problem
    case refused(InputError)
  }

  struct Item {
    let path: [UInt8]
    let found: Found
    var kin: Kin?
  }

  /// The relation of a path to a file found before it; see ``Companion``.
  struct Kin {
    let owner: [UInt8]
    let name: [UInt8]
    let isAttachment: Bool

    var companion: Companion {
      Companion(
        owner: DisplayText.escaped(owner), name: DisplayText.escaped(name),
        isAttachment: isAttachment)
    }
  }

  private struct FileKey: Hashable {
    let device: UInt64
    let number: UInt64
  }

  /// A folder whose names are being gone through.
  private struct Level {
    let path: [UInt8]
    /// Sorted.
    let names: [[UInt8]]
    /// The file whose attachments lie in the folder.
    let kin: Kin?
    var next = 0

    func path(of name: [UInt8]) -> [UInt8] {
      path.last == UInt8(ascii: "/") ? path + name : path + [0x2f] + name
    }

    func contains(_ name: [UInt8]) -> Bool {
      let index = names.lowerBound { $0.lexicographicallyPrecedes(name) }
      return index < names.count && names[index] == name
    }
  }

  private var levels: [Level] = []
  private var walked: Set<FileKey> = []

  /// Hands everything at or below `root` to `body`.
  ///
  /// - Parameter isNamed: Whether a person named it: then it may be a pipe.
  /// - Returns: Whether `body` wants more.
  mutating func walk(
    _ root: [UInt8], isNamed: Bool, body: (Item) -> InputStep
  ) -> InputStep {
    levels.removeAll()
    let kin = Self.kin(ofNamed: root)
    if visit(root, kin, isNamed: isNamed, body: body) == .stop { return .stop }
    if descend(body) == .stop { return .stop }
    // The folder of a file's attachments goes with the file.
    let attachments = root + Companion.folderSuffix
    guard Self.isFile(root), Self.type(of: attachments) == S_IFDIR else { return .next }
    let attached = Kin(owner: root, name: [], isAttachment: true)
    if visit(attachments, attached, isNamed: true, body: body) == .stop { return .stop }
    return descend(body)
  }

  /// Goes through the folders that were entered.
  private mutating func descend(_ body: (Item) -> InputStep) -> InputStep {
    while let last = levels.indices.last {
      let level = levels[last]
      guard level.next < level.names.count else {
        levels.removeLast()
        continue
      }
      levels[last].next += 1
      let name = level.names[level.next]
      let kin = Self.kin(of: name, in: level)
      if visit(level.path(of: name), kin, isNamed: false, body: body) == .stop { return .stop }
    }
    return .next
  }

  /// The relation of a path that the caller named to a file in its folder.
  private static func kin(ofNamed path: [UInt8]) -> Kin? {
    let parts = path.split(separator: 0x2f)
    guard let name = parts.last.map(Array.init), path.last != 0x2f else { return nil }
    return kin(of: name, beside: { path.dropLast(name.count) + $0 }, isThere: { _ in true })
  }

  private static func kin(of name: [UInt8], in level: Level) -> Kin? {
    if let kin = level.kin {
      let folder = kin.name.isEmpty ? [] : kin.name + [0x2f]
      return Kin(owner: kin.owner, name: folder + name, isAttachment: true)
    }
    if CrashFolder.isLog(name), level.contains(CrashFolder.unityDump) {
      return Kin(owner: level.path(of: CrashFolder.unityDump), name: name, isAttachment: true)
    }
    return kin(of: name, beside: level.path(of:), isThere: level.contains)
  }

  /// - Parameters:
  ///   - beside: The path of another name in the same folder.
  ///   - isThere: Whether such a name may be there.
  private static func kin(
    of name: [UInt8], beside path: ([UInt8]) -> [UInt8], isThere: ([UInt8]) -> Bool
  ) -> Kin? {
    for dot in name.indices.dropFirst().dropLast() where name[dot] == UInt8(ascii: ".") {
      let owner = Array(name[..<dot])
      guard isThere(owner), isFile(path(owner)) else { continue }
      return Kin(owner: path(owner), name: Array(name[(dot + 1)...]), isAttachment: false)
    }
    return nil
  }

  static func exists(_ path: [UInt8]) -> Bool { type(of: path) != 0 }

  static func isFile(_ path: [UInt8]) -> Bool { type(of: path) == S_IFREG }

  private static func type(of path: [UInt8]) -> mode_t {
    var status = stat()
    return path.withCPath { stat($0, &status) } == 0 ? status.st_mode & S_IFMT : 0
  }

  /// - Parameter isNamed: Whether the caller named the path itself.
  private mutating func visit(
    _ path: [UInt8], _ kin: Kin?, isNamed: Bool, body: (Item) -> InputStep
  ) -> InputStep {
    var status = stat()
    guard path.withCPath({ stat($0, &status) }) == 0 else {
      return body(Item(path: path, found: .refused(.file(failure("open", path)))))
    }
    switch status.st_mode & S_IFMT {
    case S_IFDIR: return enter(path, status, kin, body: body)
    case S_IFREG: return body(Item(path: path, found: .file(status), kin: kin))
    case S_IFIFO where isNamed, S_IFCHR where isNamed:
      return body(Item(path: path, found: .stream))
    case S_IFIFO: return body(Item(path: path, found: .refused(.special("a named pipe"))))
    case S_IFSOCK: return body(Item(path: path, found: .refused(.special("a socket"))))
    default: return body(Item(path: path, found: .refused(.special("a device"))))
    }
  }

  private mutating func enter(
    _ path: [UInt8], _ status: stat, _ kin: Kin?, body: (Item) -> InputStep
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
    names.sort { $0.lexicographicallyPrecedes($1) }
    if code == 0, ProblemFolder.isProblem(names) {
      return body(Item(path: path, found: .problem, kin: kin))
    }
    // A folder whose name continues a file's name is an ordinary one, unless it holds the file's
    // attachments.
    let isFolder = path.suffix(Companion.folderSuffix.count) == Companion.folderSuffix[...]
    let attached = kin.flatMap { kin in
      kin.isAttachment
        ? kin : isFolder ? Kin(owner: kin.owner, name: [], isAttachment: true) : nil
    }
    levels.append(
      Level(path: path, names: names, kin: attached ?? CrashFolder.dump(ofAttachments: path)))
    guard code == 0 else {
      // Names that were listed before the error are still walked.
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
